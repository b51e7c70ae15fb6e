#ifndef BCR_SRC_NN_LAYER_HPP
#define BCR_SRC_NN_LAYER_HPP

#include "kernels/conv/epilogue.hpp"
#include "kernels/conv/window.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "kernels/norm/elementwise.hpp"
#include "src/core/log.hpp"
#include "src/core/views.hpp"
#include "src/nn/mode.hpp"
#include "src/nn/operation.hpp"
#include "src/nn/parameters.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bcr::nn {

/// What a pass computes and keeps. `frozen`: what inference computes (running statistics, nothing dropped), with all
/// that a backward pass reads, as in training.
enum class Phase { inference, training, frozen };

/// Which images of the whole batch a pass sees: image i is number i + first_shift of it if i < split, else i +
/// second_shift. The default is the whole batch itself.
struct ImageNumbers {
  std::uint64_t split = 0;
  std::uint64_t first_shift = 0;
  std::uint64_t second_shift = 0;
};

/// Whether a training pass renews the running statistics, or leaves that to whoever knows the whole batch.
enum class RunningStatistics { renewed, left };

/// What one pass over a network is part of: random numbers are a function of (seed, layer, step, element of the whole
/// batch).
struct PassInfo {
  Phase phase = Phase::inference;
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
  ImageNumbers images{};
  RunningStatistics running = RunningStatistics::renewed;
  int first_condition = 0;  ///< of a decoder that is conditioned by classes, where they are not drawn (layers/film.hpp)

  /// Where the elements of a value lie in that of the whole batch. `sample`: elements of a sample.
  kernels::ElementNumbers numbers(const std::uint64_t sample) const {
    return {images.split * sample, images.first_shift * sample, images.second_shift * sample};
  }
  /// Which elements of a value a layer drops in this pass, none unless it trains.
  kernels::Dropout dropout(const double rate, const std::uint32_t stream, const std::uint64_t sample) const {
    return {.rate = phase == Phase::training ? rate : 0,
            .seed = seed,
            .stream = stream,
            .step = step,
            .numbers = numbers(sample)};
  }
};

/// Memory that layers use one after the other; contents undefined between calls.
template <class Exec, class T>
struct Workspace {
  Vector<T, Exec> values;
  Vector<double, Exec> sums;
  Vector<std::int32_t, Exec> indices;
};

/// How much of it a layer needs.
struct WorkspaceSize {
  std::size_t values = 0;
  std::size_t sums = 0;
  std::size_t indices = 0;
};

/// The values of one operation with the batch of this pass, by source and by result.
template <class Exec, class T>
struct ForwardViews {
  std::vector<Tensor<Exec, T>> sources;
  std::vector<Tensor<Exec, T>> results;  ///< the first may be in the memory of the source that it overwrites()
  ConstLabels<Exec> labels{};            ///< of the first samples, the known ones; empty if the caller gave none
  Vector<T, Exec> trace{};               ///< what the operation keeps in training; empty in inference
  kernels::Epilogue<Exec, T> epilogue{};  ///< of a convolution in inference: what it runs of the operations after it

  Tensor4<T, Exec> src(const std::size_t i = 0) const { return sources[i].images(); }
  Tensor4<T, Exec> dst(const std::size_t i = 0) const { return results[i].images(); }
  Tokens<Exec> tokens(const std::size_t i) const { return sources[i].tokens(); }
};

/// Sources and results are there where the operation says that its backward pass reads them.
template <class Exec, class T>
struct BackwardViews {
  std::vector<Tensor<Exec, T>> sources;
  std::vector<Tensor<Exec, T>> results;
  std::vector<Tensor<Exec, T>> diff_results;
  std::vector<Tensor<Exec, T>> diff_sources;     ///< empty where nobody asks (inputs) and where it is shared
  std::vector<kernels::ChainStart> diff_starts;  ///< by source. zero: written; dst: added to what is there
  ConstLabels<Exec> labels{};
  Vector<T, Exec> trace{};  ///< what the forward pass left there
  bool learns = true;       ///< whether anybody asks for the gradients of the parameters

  Tensor4<T, Exec> src(const std::size_t i = 0) const { return sources[i].images(); }
  Tensor4<T, Exec> dst(const std::size_t i = 0) const { return results[i].images(); }
  Tokens<Exec> tokens(const std::size_t i) const { return sources[i].tokens(); }
  Tensor4<T, Exec> diff_dst(const std::size_t i = 0) const { return diff_results[i].images(); }
  Tensor4<T, Exec> diff_src(const std::size_t i = 0) const { return diff_sources[i].images(); }
  bool asks_for_diff_src(const std::size_t i = 0) const { return !diff_sources[i].is_empty(); }
  kernels::ChainStart diff_src_start(const std::size_t i = 0) const { return diff_starts[i]; }
};

/// What a layer is made from besides its operation. Parameters and running statistics live in stores: a layer adds its
/// tensors when it is made and finds them there when it runs.
template <class Exec, class T>
struct LayerContext {
  Mode mode;
  Precision precision;
  int most_images;
  ParameterStore<Exec, T>& parameters;
  ParameterStore<Exec, T>& statistics;
  const Exec& exec;
  const Log& log;
};

/// One operation with its parameters. Calls are asynchronous on exec and allocate nothing.
template <class Exec, class T>
class Layer {
 public:
  virtual ~Layer() = default;

  /// Which library, or which of our algorithms, computes the products of this layer; empty if it has none.
  virtual std::string computed_by() const { return {}; }

  virtual WorkspaceSize workspace_size(int) const { return {}; }
  virtual void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                       const Workspace<Exec, T>& workspace) = 0;
  /// The same result once more, without what forward changes besides (running statistics).
  virtual void recompute(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                         const Workspace<Exec, T>& workspace) {
    forward(exec, pass, views, workspace);
  }
  /// Writes the gradients of the parameters, and of the sources where they are asked for.
  virtual void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                        const Workspace<Exec, T>& workspace) = 0;

  /// For an operation with an EpilogueRole: adds its part to what the convolution before it runs in inference, from the
  /// parameters and running statistics of this moment.
  virtual void join_epilogue(const Exec&, const ForwardViews<Exec, T>&, kernels::Epilogue<Exec, T>&) {}
};

/// A layer whose result depends on all images of a batch: batch norm. Its passes come in parts, so that the sums over
/// the shards of a batch can be joined in between; forward() and backward() are all parts for one shard that is the
/// batch. Sums are [2, C] in double and additive over shards; `count` is the number of pixels they were taken over.
template <class Exec, class T>
class StatisticsLayer : public Layer<Exec, T> {
 public:
  virtual int channels() const = 0;
  virtual std::size_t pixels() const = 0;  ///< of an image

  /// Where forward() leaves its sums, for renew_running_statistics() after all shards are joined.
  virtual void keep_sums_in(Matrix<double, Exec> sums) = 0;

  virtual void sum_forward(const Exec& exec, const ForwardViews<Exec, T>& views, const Workspace<Exec, T>& workspace,
                           const Matrix<double, Exec>& sums) const = 0;
  virtual void use_sums(const Exec& exec, ConstMatrix<double, Exec> sums, double count, RunningStatistics running) = 0;
  virtual void normalise(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views) const = 0;
  virtual void renew_running_statistics(const Exec& exec, ConstMatrix<double, Exec> sums, double count) = 0;

  /// Also writes the gradients of the parameters, which a shard has for itself.
  virtual void sum_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                            const Workspace<Exec, T>& workspace, const Matrix<double, Exec>& sums) const = 0;
  virtual void use_backward_sums(const Exec& exec, const PassInfo& pass, ConstMatrix<double, Exec> sums,
                                 double count) = 0;
  virtual void finish_backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views) const = 0;
};

/// [N, H, W, C] as [N H W, C].
template <class Exec, class T>
Matrix<T, Exec> as_rows(const Tensor4<T, Exec>& image) {
  return Matrix<T, Exec>(image.data(), image.extent(0) * image.extent(1) * image.extent(2), image.extent(3));
}

/// [N, H, W, C] as [N, H W C].
template <class Exec, class T>
Matrix<T, Exec> as_images(const Tensor4<T, Exec>& image) {
  return Matrix<T, Exec>(image.data(), image.extent(0), image.extent(1) * image.extent(2) * image.extent(3));
}

/// [N, H, W, C] as [N H W C].
template <class Exec, class T>
Vector<T, Exec> flat(const Tensor4<T, Exec>& image) {
  return Vector<T, Exec>(image.data(), image.size());
}

/// For operations that overwrite a source: nothing to do where they may.
template <class Exec, class T>
void copy_unless_same(const Exec& exec, const Tensor4<T, Exec>& src, const Tensor4<T, Exec>& dst) {
  if (src.data() != dst.data()) kernels::copy<Exec, T>(exec, flat<Exec, T>(src), flat<Exec, T>(dst));
}

}  // namespace bcr::nn

#endif
