#ifndef BCR_SRC_NN_LAYER_HPP
#define BCR_SRC_NN_LAYER_HPP

#include "kernels/conv/epilogue.hpp"
#include "src/core/views.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/schedule.hpp"

#include <cstddef>
#include <cstdint>

namespace bcr::nn {

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
};

/// Memory that layers use one after the other; contents undefined between calls.
template <class Exec, class T>
struct Workspace {
  Vector<T, Exec> values;
  Vector<double, Exec> sums;
};

/// How much of it a layer needs.
struct WorkspaceSize {
  std::size_t values = 0;
  std::size_t sums = 0;
};

/// The Views of one operation. Images are NHWC with the batch of this pass.
template <class Exec, class T>
struct ForwardViews {
  Tensor4<T, Exec> src;
  Tensor4<T, Exec> addend;  ///< of an Add; a convolution finds its addend in dst
  Tensor4<T, Exec> dst;
  kernels::Epilogue<Exec, T> epilogue{};  ///< of a convolution in inference: what it runs of the operations after it
};

template <class Exec, class T>
struct BackwardViews {
  Tensor4<T, Exec> src;  ///< only where backward_reads_source
  Tensor4<T, Exec> dst;  ///< only where backward_reads_result
  Tensor4<T, Exec> diff_dst;
  Tensor4<T, Exec> diff_src;  ///< empty for the first operation: nobody asks for the gradient of the images
  kernels::ChainStart diff_src_start = kernels::ChainStart::zero;
};

/// One operation with its parameters. Calls are asynchronous on exec and allocate nothing.
template <class Exec, class T>
class Layer {
 public:
  virtual ~Layer() = default;

  virtual WorkspaceSize workspace_size(int most_images) const = 0;
  virtual void forward(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                       const Workspace<Exec, T>& workspace) = 0;
  /// The same result once more, without what forward changes besides (running statistics).
  virtual void recompute(const Exec& exec, const PassInfo& pass, const ForwardViews<Exec, T>& views,
                         const Workspace<Exec, T>& workspace) {
    forward(exec, pass, views, workspace);
  }
  /// Writes the gradients of the parameters, and of the source where it is asked for.
  virtual void backward(const Exec& exec, const PassInfo& pass, const BackwardViews<Exec, T>& views,
                        const Workspace<Exec, T>& workspace) = 0;
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

}  // namespace bcr::nn

#endif
