#ifndef BCR_TESTS_REFERENCE_NETWORK_HPP
#define BCR_TESTS_REFERENCE_NETWORK_HPP

#include "src/nn/graph.hpp"
#include "src/nn/layers/add.hpp"
#include "src/nn/layers/batch_norm.hpp"
#include "src/nn/layers/concatenate.hpp"
#include "src/nn/layers/convolution.hpp"
#include "src/nn/layers/curves.hpp"
#include "src/nn/layers/linear.hpp"
#include "src/nn/layers/pool.hpp"
#include "src/nn/layers/reshape.hpp"
#include "src/nn/layers/transposed_convolution.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

/// A network in plain loops and double precision, written from the definitions of the operations: every value is kept,
/// nothing is fused, no memory is shared. Dropout is not part of it.
namespace bcr::reference {

using Values = std::vector<double>;
using NamedValues = std::map<std::string, Values>;

class NetworkReference {
 public:
  NetworkReference(const nn::Graph& graph, const int images, NamedValues parameters)
      : graph_(graph), images_(images), parameters_(std::move(parameters)), values_(graph.values().size()) {}

  /// The features of a training pass, image by image.
  const Values& forward(const Values& images) {
    values_[0] = images;
    for (const auto& operation : graph_.operations()) {
      auto& dst = values_[operation->result()];
      dst.assign(images_ * operation->result_shape().size(), 0.0);
      with_settings(*operation, [&](const auto& kind) { run(*operation, kind, values_[operation->source()], dst); });
    }
    return values_[graph_.output()];
  }

  /// The gradients of all parameters.
  NamedValues backward(const Values& diff_features) {
    diffs_.assign(values_.size(), {});
    for (std::size_t v = 0; v < values_.size(); ++v) diffs_[v].assign(values_[v].size(), 0.0);
    diffs_[graph_.output()] = diff_features;
    NamedValues gradients;
    for (const auto& [name, values] : parameters_) gradients[name].assign(values.size(), 0.0);
    const auto& operations = graph_.operations();
    for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation)
      with_settings(**operation, [&](const auto& kind) { turn(**operation, kind, gradients); });
    return gradients;
  }

 private:
  using Kinds = std::tuple<nn::Convolution, nn::BatchNorm, nn::Linear, nn::MaxPool, nn::GlobalAveragePool, nn::Add,
                           nn::Concatenation, nn::AveragePool, nn::TransposedConvolution, nn::Reshape, nn::Relu>;

  /// Calls f with the settings of the operation, whichever kind it is of.
  template <class F>
  static void with_settings(const nn::Operation& operation, const F& f) {
    const bool known = std::apply([&](const auto&... kinds) { return (tried(operation, kinds, f) || ...); }, Kinds());
    require<ShapeError>(known, operation.name(), "an operation that has a reference", "another one");
  }

  template <class Kind, class F>
  static bool tried(const nn::Operation& operation, const Kind&, const F& f) {
    const auto* const kind = nn::settings_of<Kind>(operation);
    if (kind != nullptr) f(*kind);
    return kind != nullptr;
  }

  /// Calls f(src element, weight element, dst element) for every product of a convolution.
  template <class F>
  void for_each_product(const nn::Operation& operation, const nn::Convolution& kind, const F& f) const {
    const auto& s = operation.source_shape();
    const auto& d = operation.result_shape();
    for (int n = 0; n < images_; ++n)
      for (int h = 0; h < d.height; ++h)
        for (int w = 0; w < d.width; ++w)
          for (int kh = 0; kh < kind.taps; ++kh)
            for (int kw = 0; kw < kind.taps; ++kw) {
              const int y = h * kind.window.stride + kh - kind.window.pad;
              const int x = w * kind.window.stride + kw - kind.window.pad;
              if (y < 0 || y >= s.height || x < 0 || x >= s.width) continue;
              for (int i = 0; i < s.channels; ++i)
                for (int o = 0; o < d.channels; ++o)
                  f(((n * s.height + y) * s.width + x) * s.channels + i,
                    ((kh * kind.taps + kw) * s.channels + i) * d.channels + o,
                    ((n * d.height + h) * d.width + w) * d.channels + o);
            }
  }

  void run(const nn::Operation& operation, const nn::Convolution& kind, const Values& src, Values& dst) {
    if (operation.sources().size() > 1) dst = values_[operation.source(1)];
    const int channels = kind.channels;
    if (kind.bias == nn::Bias::added)
      for (std::size_t e = 0; e < dst.size(); ++e) dst[e] = parameters_.at(operation.name() + ".bias")[e % channels];
    const auto& weights = parameters_.at(operation.name() + ".weights");
    for_each_product(operation, kind, [&](const int s, const int w, const int d) { dst[d] += src[s] * weights[w]; });
  }

  void turn(const nn::Operation& operation, const nn::Convolution& kind, NamedValues& gradients) {
    const auto& diff = diffs_[operation.result()];
    const auto& weights = parameters_.at(operation.name() + ".weights");
    auto& diff_weights = gradients.at(operation.name() + ".weights");
    for_each_product(operation, kind, [&](const int s, const int w, const int d) {
      diff_weights[w] += values_[operation.source()][s] * diff[d];
      diffs_[operation.source()][s] += weights[w] * diff[d];
    });
    if (kind.bias == nn::Bias::added)
      for (std::size_t e = 0; e < diff.size(); ++e) gradients.at(operation.name() + ".bias")[e % kind.channels] += diff[e];
    if (operation.sources().size() > 1) accumulate(diff, diffs_[operation.source(1)]);
  }

  struct Moments {
    double mean = 0;
    double inverse_std = 0;
  };

  Moments moments(const Values& src, const int channel, const int channels) const {
    const double count = static_cast<double>(src.size()) / channels;
    Moments result;
    for (std::size_t e = channel; e < src.size(); e += channels) result.mean += src[e] / count;
    double variance = 0;
    for (std::size_t e = channel; e < src.size(); e += channels)
      variance += (src[e] - result.mean) * (src[e] - result.mean) / count;
    result.inverse_std = 1 / std::sqrt(variance + 1e-5);
    return result;
  }

  void run(const nn::Operation& operation, const nn::BatchNorm& kind, const Values& src, Values& dst) {
    const int channels = operation.source_shape().channels;
    for (int c = 0; c < channels; ++c) {
      const auto [mean, inverse_std] = moments(src, c, channels);
      for (std::size_t e = c; e < src.size(); e += channels) {
        const double y = parameters_.at(operation.name() + ".gamma")[c] * (src[e] - mean) * inverse_std +
                         parameters_.at(operation.name() + ".beta")[c];
        dst[e] = kind.activation == nn::Activation::relu ? std::max(y, 0.0) : y;
      }
    }
  }

  void turn(const nn::Operation& operation, const nn::BatchNorm& kind, NamedValues& gradients) {
    const auto& src = values_[operation.source()];
    const int channels = operation.source_shape().channels;
    const double count = static_cast<double>(src.size()) / channels;
    auto diff = diffs_[operation.result()];
    if (kind.activation == nn::Activation::relu) mask(values_[operation.result()], diff);
    for (int c = 0; c < channels; ++c) {
      const auto [mean, inverse_std] = moments(src, c, channels);
      double sum = 0;
      double sum_product = 0;
      for (std::size_t e = c; e < src.size(); e += channels) {
        sum += diff[e];
        sum_product += diff[e] * (src[e] - mean) * inverse_std;
      }
      gradients.at(operation.name() + ".beta")[c] = sum;
      gradients.at(operation.name() + ".gamma")[c] = sum_product;
      const double scale = parameters_.at(operation.name() + ".gamma")[c] * inverse_std;
      for (std::size_t e = c; e < src.size(); e += channels)
        diffs_[operation.source()][e] +=
            scale * (diff[e] - sum / count - (src[e] - mean) * inverse_std * sum_product / count);
    }
  }

  void run(const nn::Operation& operation, const nn::Linear& kind, const Values& src, Values& dst) {
    const std::size_t inputs = operation.source_shape().size();
    for (std::size_t e = 0; e < dst.size(); ++e) {
      const std::size_t o = e % kind.channels;
      dst[e] = parameters_.at(operation.name() + ".bias")[o];
      for (std::size_t i = 0; i < inputs; ++i)
        dst[e] += parameters_.at(operation.name() + ".weights")[o * inputs + i] * src[e / kind.channels * inputs + i];
      if (kind.activation == nn::Activation::relu) dst[e] = std::max(dst[e], 0.0);
    }
  }

  void turn(const nn::Operation& operation, const nn::Linear& kind, NamedValues& gradients) {
    const std::size_t inputs = operation.source_shape().size();
    auto diff = diffs_[operation.result()];
    if (kind.activation == nn::Activation::relu) mask(values_[operation.result()], diff);
    for (std::size_t e = 0; e < diff.size(); ++e) {
      const std::size_t o = e % kind.channels;
      gradients.at(operation.name() + ".bias")[o] += diff[e];
      for (std::size_t i = 0; i < inputs; ++i) {
        const std::size_t s = e / kind.channels * inputs + i;
        gradients.at(operation.name() + ".weights")[o * inputs + i] += diff[e] * values_[operation.source()][s];
        diffs_[operation.source()][s] += diff[e] * parameters_.at(operation.name() + ".weights")[o * inputs + i];
      }
    }
  }

  /// The element of src that wins the window of element e of dst.
  std::size_t winner(const nn::Operation& operation, const int taps, const std::size_t e) const {
    const auto& s = operation.source_shape();
    const auto& d = operation.result_shape();
    const std::size_t c = e % d.channels;
    const std::size_t w = e / d.channels % d.width;
    const std::size_t h = e / d.channels / d.width % d.height;
    const std::size_t n = e / d.size();
    std::size_t best = 0;
    for (int t = 0; t < taps * taps; ++t) {
      const std::size_t at =
          ((n * s.height + h * taps + t / taps) * s.width + w * taps + t % taps) * s.channels + c;
      if (t == 0 || values_[operation.source()][at] > values_[operation.source()][best]) best = at;
    }
    return best;
  }

  void run(const nn::Operation& operation, const nn::MaxPool& kind, const Values& src, Values& dst) {
    for (std::size_t e = 0; e < dst.size(); ++e) dst[e] = src[winner(operation, kind.taps, e)];
  }

  void turn(const nn::Operation& operation, const nn::MaxPool& kind, NamedValues&) {
    const auto& diff = diffs_[operation.result()];
    for (std::size_t e = 0; e < diff.size(); ++e) diffs_[operation.source()][winner(operation, kind.taps, e)] += diff[e];
  }

  void run(const nn::Operation& operation, const nn::GlobalAveragePool&, const Values& src, Values& dst) {
    const auto& s = operation.source_shape();
    for (std::size_t e = 0; e < src.size(); ++e)
      dst[e / s.size() * s.channels + e % s.channels] += src[e] / static_cast<double>(s.pixels());
  }

  void turn(const nn::Operation& operation, const nn::GlobalAveragePool&, NamedValues&) {
    const auto& s = operation.source_shape();
    auto& diff_src = diffs_[operation.source()];
    for (std::size_t e = 0; e < diff_src.size(); ++e)
      diff_src[e] += diffs_[operation.result()][e / s.size() * s.channels + e % s.channels] / static_cast<double>(s.pixels());
  }

  void run(const nn::Operation& operation, const nn::Add& kind, const Values& src, Values& dst) {
    for (std::size_t e = 0; e < dst.size(); ++e) {
      const double sum = src[e] + values_[operation.source(1)][e];
      dst[e] = kind.activation == nn::Activation::relu ? std::max(sum, 0.0) : sum;
    }
  }

  void turn(const nn::Operation& operation, const nn::Add& kind, NamedValues&) {
    auto diff = diffs_[operation.result()];
    if (kind.activation == nn::Activation::relu) mask(values_[operation.result()], diff);
    accumulate(diff, diffs_[operation.source()]);
    accumulate(diff, diffs_[operation.source(1)]);
  }

  /// Calls f(source, its element, element of dst) for every number that is put into the result.
  template <class F>
  void for_each_channel(const nn::Operation& operation, const F& f) const {
    const auto& d = operation.result_shape();
    int first = 0;
    for (std::size_t s = 0; s < operation.sources().size(); ++s) {
      const int channels = operation.source_shape(s).channels;
      for (std::size_t pixel = 0; pixel < images_ * d.pixels(); ++pixel)
        for (int c = 0; c < channels; ++c)
          f(operation.source(s), pixel * channels + c, pixel * d.channels + first + c);
      first += channels;
    }
  }

  void run(const nn::Operation& operation, const nn::Concatenation&, const Values&, Values& dst) {
    for_each_channel(operation, [&](const nn::ValueId from, const std::size_t s, const std::size_t d) {
      dst[d] = values_[from][s];
    });
  }

  void turn(const nn::Operation& operation, const nn::Concatenation&, NamedValues&) {
    const auto& diff = diffs_[operation.result()];
    for_each_channel(operation, [&](const nn::ValueId to, const std::size_t s, const std::size_t d) {
      diffs_[to][s] += diff[d];
    });
  }

  /// Calls f(src element, dst element) for every pixel of every window.
  template <class F>
  void for_each_pooled(const nn::Operation& operation, const nn::AveragePool& kind, const F& f) const {
    const auto& s = operation.source_shape();
    const auto& d = operation.result_shape();
    const auto& [kernel, stride, pad] = kind.window;
    for (int n = 0; n < images_; ++n)
      for (int h = 0; h < d.height; ++h)
        for (int w = 0; w < d.width; ++w)
          for (int t = 0; t < kernel * kernel; ++t) {
            const int y = h * stride + t / kernel - pad;
            const int x = w * stride + t % kernel - pad;
            if (y < 0 || y >= s.height || x < 0 || x >= s.width) continue;
            for (int c = 0; c < s.channels; ++c)
              f(((n * s.height + y) * s.width + x) * s.channels + c, ((n * d.height + h) * d.width + w) * d.channels + c);
          }
  }

  void run(const nn::Operation& operation, const nn::AveragePool& kind, const Values& src, Values& dst) {
    const double pixels = kind.window.kernel * kind.window.kernel;
    for_each_pooled(operation, kind, [&](const int s, const int d) { dst[d] += src[s] / pixels; });
  }

  void turn(const nn::Operation& operation, const nn::AveragePool& kind, NamedValues&) {
    const double pixels = kind.window.kernel * kind.window.kernel;
    const auto& diff = diffs_[operation.result()];
    for_each_pooled(operation, kind, [&](const int s, const int d) { diffs_[operation.source()][s] += diff[d] / pixels; });
  }

  /// Calls f(src element, weight element, dst element): pixel (h, w) of src spreads over (h, w) stride + tap - pad.
  template <class F>
  void for_each_spread(const nn::Operation& operation, const nn::TransposedConvolution& kind, const F& f) const {
    const auto& s = operation.source_shape();
    const auto& d = operation.result_shape();
    for (int n = 0; n < images_; ++n)
      for (int h = 0; h < s.height; ++h)
        for (int w = 0; w < s.width; ++w)
          for (int kh = 0; kh < kind.taps; ++kh)
            for (int kw = 0; kw < kind.taps; ++kw) {
              const int y = h * kind.window.stride + kh - kind.window.pad;
              const int x = w * kind.window.stride + kw - kind.window.pad;
              if (y < 0 || y >= d.height || x < 0 || x >= d.width) continue;
              for (int o = 0; o < d.channels; ++o)
                for (int i = 0; i < s.channels; ++i)
                  f(((n * s.height + h) * s.width + w) * s.channels + i,
                    ((kh * kind.taps + kw) * d.channels + o) * s.channels + i,
                    ((n * d.height + y) * d.width + x) * d.channels + o);
            }
  }

  void run(const nn::Operation& operation, const nn::TransposedConvolution& kind, const Values& src, Values& dst) {
    if (kind.bias == nn::Bias::added)
      for (std::size_t e = 0; e < dst.size(); ++e)
        dst[e] = parameters_.at(operation.name() + ".bias")[e % kind.channels];
    const auto& weights = parameters_.at(operation.name() + ".weights");
    for_each_spread(operation, kind, [&](const int s, const int w, const int d) { dst[d] += src[s] * weights[w]; });
  }

  void turn(const nn::Operation& operation, const nn::TransposedConvolution& kind, NamedValues& gradients) {
    const auto& diff = diffs_[operation.result()];
    const auto& weights = parameters_.at(operation.name() + ".weights");
    auto& diff_weights = gradients.at(operation.name() + ".weights");
    for_each_spread(operation, kind, [&](const int s, const int w, const int d) {
      diff_weights[w] += values_[operation.source()][s] * diff[d];
      diffs_[operation.source()][s] += weights[w] * diff[d];
    });
    if (kind.bias == nn::Bias::added)
      for (std::size_t e = 0; e < diff.size(); ++e)
        gradients.at(operation.name() + ".bias")[e % kind.channels] += diff[e];
  }

  void run(const nn::Operation&, const nn::Reshape&, const Values& src, Values& dst) { dst = src; }

  void turn(const nn::Operation& operation, const nn::Reshape&, NamedValues&) {
    accumulate(diffs_[operation.result()], diffs_[operation.source()]);
  }

  void run(const nn::Operation&, const nn::Relu&, const Values& src, Values& dst) {
    for (std::size_t e = 0; e < dst.size(); ++e) dst[e] = std::max(src[e], 0.0);
  }

  void turn(const nn::Operation& operation, const nn::Relu&, NamedValues&) {
    Values diff = diffs_[operation.result()];
    mask(values_[operation.result()], diff);
    accumulate(diff, diffs_[operation.source()]);
  }

  static void mask(const Values& dst, Values& diff) {
    for (std::size_t e = 0; e < diff.size(); ++e)
      if (dst[e] <= 0) diff[e] = 0;
  }

  static void accumulate(const Values& from, Values& to) {
    for (std::size_t e = 0; e < to.size(); ++e) to[e] += from[e];
  }

  const nn::Graph& graph_;
  int images_;
  NamedValues parameters_;
  std::vector<Values> values_;
  std::vector<Values> diffs_;
};

}  // namespace bcr::reference

#endif
