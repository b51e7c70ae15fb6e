#include "src/onnx/backbone_writer.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace bcr::onnx {
namespace {

using Extents = std::vector<std::int64_t>;

/// [KH, KW, IC, OC] to [OC, IC, KH, KW], each output channel times its factor.
std::vector<float> to_oihw(const std::vector<float>& src, const std::size_t taps, const std::size_t inputs,
                           const std::size_t outputs, const std::vector<float>& factors) {
  std::vector<float> dst(src.size());
  const std::size_t window = taps * taps;
  for (std::size_t k = 0; k < window; ++k)
    for (std::size_t i = 0; i < inputs; ++i)
      for (std::size_t o = 0; o < outputs; ++o) {
        const double weight = src[(k * inputs + i) * outputs + o];
        dst[(o * inputs + i) * window + k] = static_cast<float>(factors.empty() ? weight : weight * factors[o]);
      }
  return dst;
}

/// The columns of a matrix [rows, H W C] in the order C H W, in which flattened images come here.
std::vector<float> channels_first(const std::vector<float>& src, const nn::ImageShape& image) {
  const std::size_t size = image.size();
  const auto channels = static_cast<std::size_t>(image.channels);
  std::vector<float> dst(src.size());
  for (std::size_t row = 0; row < src.size() / size; ++row)
    for (std::size_t p = 0; p < image.pixels(); ++p)
      for (std::size_t c = 0; c < channels; ++c)
        dst[row * size + c * image.pixels() + p] = src[row * size + p * channels + c];
  return dst;
}

/// Rows of the gates reset, update, candidate in the order of ONNX: update, reset, candidate.
std::vector<float> gates_of_onnx(const std::vector<float>& src) {
  std::vector<float> dst(src);
  const std::size_t gate = src.size() / 3;
  for (std::size_t i = 0; i < gate; ++i) std::swap(dst[i], dst[gate + i]);
  return dst;
}

Extents as_extents(const std::initializer_list<int> values) {
  return {values.begin(), values.end()};
}

Attributes window_attributes(const int taps, const int stride, const int pad) {
  return {{"kernel_shape", as_extents({taps, taps})},
          {"strides", as_extents({stride, stride})},
          {"pads", as_extents({pad, pad, pad, pad})}};
}

}  // namespace

BackboneWriter::BackboneWriter(GraphWriter& file, const nn::Graph& graph, const Weights& weights)
    : file_(file), graph_(graph), weights_(weights), names_(graph.values().size()), is_matrix_(names_.size()) {
  find_needed();
  find_folded();
}

void BackboneWriter::find_needed() {
  needed_.assign(graph_.values().size(), false);
  needed_[static_cast<std::size_t>(graph_.output())] = true;
  const auto& operations = graph_.operations();
  for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
    const bool asked = std::ranges::any_of((*operation)->results(), [&](const nn::ValueId v) { return needed_[v]; });
    for (const nn::ValueId source : (*operation)->sources()) needed_[source] = needed_[source] || asked;
  }
}

void BackboneWriter::find_folded() {
  for (const auto& operation : graph_.operations()) {
    if (nn::settings_of<nn::BatchNorm>(*operation) == nullptr) continue;
    const nn::ValueId source = operation->source();
    const int producer = graph_.values()[source].producer;
    if (producer == nn::no_operation || graph_.consumers(source) != 1 || graph_.is_output(source)) continue;
    const Operation& before = *graph_.operations()[producer];
    if (nn::settings_of<nn::Convolution>(before) != nullptr && before.sources().size() == 1)
      folded_[source] = operation.get();
  }
}

std::string BackboneWriter::write(const std::string& input) {
  names_[graph_.input()] = input;
  for (const auto& operation : graph_.operations())
    if (std::ranges::any_of(operation->results(), [&](const nn::ValueId v) { return needed_[v]; })) write(*operation);
  return flat(graph_.output());
}

template <class Settings>
bool BackboneWriter::try_as(const Operation& operation) {
  const Settings* const settings = nn::settings_of<Settings>(operation);
  if (settings == nullptr) return false;
  names_[operation.result()] = write_as(operation, *settings);
  constexpr bool makes_matrix = std::is_same_v<Settings, nn::GlobalAveragePool> || std::is_same_v<Settings, nn::Linear>;
  is_matrix_[operation.result()] = makes_matrix || is_matrix_[operation.source()];
  return true;
}

void BackboneWriter::write(const Operation& operation) {
  const bool written =
      try_as<nn::Convolution>(operation) || try_as<nn::BatchNorm>(operation) || try_as<nn::Add>(operation) ||
      try_as<nn::Relu>(operation) || try_as<nn::Dropout>(operation) || try_as<nn::Concatenation>(operation) ||
      try_as<nn::MaxPool>(operation) || try_as<nn::AveragePool>(operation) ||
      try_as<nn::GlobalAveragePool>(operation) || try_as<nn::Linear>(operation) ||
      try_as<nn::Embedding>(operation) || try_as<nn::Gru>(operation);
  require<ConfigError>(written, "export to ONNX",
                       "operations of the backbones wrn, resnet18, vgg, densenet, dhrnet and gru",
                       "operation '" + operation.name() + "' of another kind");
}

const std::string& BackboneWriter::name(const Operation& operation, const std::size_t source) const {
  return names_[operation.source(source)];
}

std::string BackboneWriter::activated(const std::string& name, const std::string& value,
                                      const nn::Activation activation) {
  return activation == nn::Activation::relu ? file_.add("Relu", name + "/relu", {value}) : value;
}

std::string BackboneWriter::flat(const nn::ValueId value) {
  return is_matrix_[value] ? names_[value] : file_.add("Flatten", names_[value] + "/flat", {names_[value]});
}

BackboneWriter::Affine BackboneWriter::affine(const Operation& norm) const {
  const int channels = norm.result_shape().channels;
  const auto& gamma = weights_.parameter(norm.name() + ".gamma", {channels});
  const auto& beta = weights_.parameter(norm.name() + ".beta", {channels});
  const auto& mean = weights_.statistic(norm.name() + ".running_mean", {channels});
  const auto& variance = weights_.statistic(norm.name() + ".running_variance", {channels});
  Affine affine;
  for (std::size_t c = 0; c < gamma.size(); ++c) {
    const double inverse_std = 1 / std::sqrt(double(variance[c]) + nn::batch_norm_epsilon);
    affine.scale.push_back(static_cast<float>(gamma[c] * inverse_std));
    affine.shift.push_back(static_cast<float>(std::fma(-double(mean[c]), double(affine.scale[c]), double(beta[c]))));
  }
  return affine;
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Convolution& settings) {
  const std::string& own = operation.name();
  const int inputs = operation.source_shape().channels;
  const int outputs = settings.channels;
  const int taps = settings.taps;
  const auto folded = folded_.find(operation.result());
  const Affine norm = folded == folded_.end() ? Affine() : affine(*folded->second);
  const auto& given = weights_.parameter(own + ".weights", {taps, taps, inputs, outputs});
  const auto kernel = to_oihw(given, std::size_t(taps), std::size_t(inputs), std::size_t(outputs), norm.scale);
  std::vector<std::string> sources{
      name(operation), file_.constant(own + ".weights", as_extents({outputs, inputs, taps, taps}), std::span(kernel))};
  std::vector<float> bias = norm.shift;
  if (settings.bias == nn::Bias::added) {
    const auto& added = weights_.parameter(own + ".bias", {outputs});
    bias.resize(added.size());
    for (std::size_t c = 0; c < added.size(); ++c)
      bias[c] = norm.scale.empty() ? added[c] : std::fma(added[c], norm.scale[c], norm.shift[c]);
  }
  if (!bias.empty()) sources.push_back(file_.constant(own + ".bias", as_extents({outputs}), std::span(bias)));
  const auto value = file_.add("Conv", own, sources,
                               window_attributes(taps, settings.window.stride, settings.window.pad));
  return operation.sources().size() == 1 ? value : file_.add("Add", own + "/sum", {value, name(operation, 1)});
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::BatchNorm& settings) {
  const std::string& own = operation.name();
  std::string value = name(operation);
  if (!folded_.contains(operation.source())) {
    const Affine norm = affine(operation);
    const int channels = operation.result_shape().channels;
    const auto extents =
        is_matrix_[operation.source()] ? as_extents({1, channels}) : as_extents({1, channels, 1, 1});
    value = file_.add("Mul", own + "/scaled", {value, file_.constant(own + ".scale", extents, std::span(norm.scale))});
    value = file_.add("Add", own, {value, file_.constant(own + ".shift", extents, std::span(norm.shift))});
  }
  return activated(own, value, settings.activation);
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Add& settings) {
  const auto sum = file_.add("Add", operation.name(), {name(operation), name(operation, 1)});
  return activated(operation.name(), sum, settings.activation);
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Relu&) {
  return file_.add("Relu", operation.name(), {name(operation)});
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Dropout&) {
  return name(operation);
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Concatenation&) {
  std::vector<std::string> sources;
  for (std::size_t i = 0; i < operation.sources().size(); ++i) sources.push_back(name(operation, i));
  return file_.add("Concat", operation.name(), sources, {{"axis", 1}});
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::MaxPool& settings) {
  return file_.add("MaxPool", operation.name(), {name(operation)}, window_attributes(settings.taps, settings.taps, 0));
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::AveragePool& settings) {
  const auto& window = settings.window;
  Attributes attributes = window_attributes(window.kernel, window.stride, window.pad);
  attributes.push_back({"count_include_pad", 1});
  return file_.add("AveragePool", operation.name(), {name(operation)}, attributes);
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::GlobalAveragePool&) {
  const auto mean = file_.add("GlobalAveragePool", operation.name(), {name(operation)});
  return file_.add("Flatten", operation.name() + "/flat", {mean});
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Linear& settings) {
  const std::string& own = operation.name();
  const nn::ImageShape& shape = operation.source_shape();
  const int inputs = static_cast<int>(shape.size());
  const auto extents = as_extents({settings.channels, inputs});
  const auto matrix = channels_first(weights_.parameter(own + ".weights", {settings.channels, inputs}), shape);
  const auto& bias = weights_.parameter(own + ".bias", {settings.channels});
  const std::string value = file_.add("Gemm", own,
                                      {flat(operation.source()),
                                       file_.constant(own + ".weights", extents, std::span(matrix)),
                                       file_.constant(own + ".bias", as_extents({settings.channels}), std::span(bias))},
                                      {{"transB", 1}});
  return activated(own, value, settings.activation);
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Embedding& settings) {
  const std::string& own = operation.name();
  const auto& table = weights_.parameter(own + ".table", {settings.vocabulary, settings.channels});
  const auto extents = as_extents({settings.vocabulary, settings.channels});
  return file_.add("Gather", own, {file_.constant(own + ".table", extents, std::span(table)), name(operation)},
                   {{"axis", 0}});
}

std::string BackboneWriter::write_as(const Operation& operation, const nn::Gru& settings) {
  const std::string& own = operation.name();
  const int units = settings.units;
  const int inputs = operation.source_shape().channels;
  const auto input = gates_of_onnx(weights_.parameter(own + ".input_weights", {3 * units, inputs}));
  const auto recurrent = gates_of_onnx(weights_.parameter(own + ".recurrent_weights", {3 * units, units}));
  std::vector<float> bias = gates_of_onnx(weights_.parameter(own + ".input_bias", {3 * units}));
  const auto recurrent_bias = gates_of_onnx(weights_.parameter(own + ".recurrent_bias", {3 * units}));
  bias.insert(bias.end(), recurrent_bias.begin(), recurrent_bias.end());

  const Attribute steps_first{"perm", as_extents({1, 0, 2})};
  const bool is_last = settings.result == nn::GruResult::last;
  const std::string states = is_last ? "" : own + "/states";
  const std::string last = is_last ? own + "/last" : "";
  file_.add_node(
      "GRU", own,
      {file_.add("Transpose", own + "/steps", {name(operation)}, {steps_first}),
       file_.constant(own + ".input_weights", as_extents({1, 3 * units, inputs}), std::span(input)),
       file_.constant(own + ".recurrent_weights", as_extents({1, 3 * units, units}), std::span(recurrent)),
       file_.constant(own + ".bias", as_extents({1, 6 * units}), std::span<const float>(bias))},
      {states, last}, {{"hidden_size", units}, {"linear_before_reset", 1}});
  // The direction is an axis of its own: [L, 1, N, units] and [1, N, units].
  if (is_last) return file_.add("Squeeze", own + "/state", {last, file_.list(own + ".direction", {0})});
  const auto sequence = file_.add("Squeeze", own + "/sequence", {states, file_.list(own + ".direction", {1})});
  return file_.add("Transpose", own + "/rows", {sequence}, {steps_first});
}

}  // namespace bcr::onnx
