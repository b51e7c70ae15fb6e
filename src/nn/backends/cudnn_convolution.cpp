#include "src/nn/backends/backends.hpp"

#include "src/core/instances.hpp"
#include "src/nn/backends/algorithm_choice.hpp"
#include "src/nn/backends/cuda_handles.hpp"
#include "src/nn/backends/cudnn_descriptors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

/// The first deterministic one of cuDNN's list, quickest first by its own estimate, that does with `most_bytes`.
template <class Performance>
auto choose(const Performance& list, const int count, const std::size_t most_bytes, const std::string& problem) {
  const auto usable = [](const auto& entry) {
    return entry.status == CUDNN_STATUS_SUCCESS && entry.determinism == CUDNN_DETERMINISTIC;
  };
  return choose_algorithm(std::span(list).first(std::size_t(count)), usable, most_bytes, "cuDNN for " + problem);
}

template <class T>
class CudnnConvolution : public ConvolutionBackend<Kokkos::Cuda, T> {
 public:
  using Exec = Kokkos::Cuda;

  CudnnConvolution(const ConvolutionProblem& problem, const int most_images)
      : problem_(problem), cudnn_(shared_connection<CudnnHandle>()), cublas_(shared_connection<CublasHandle>()) {
    constexpr std::size_t most_bytes = std::size_t{256} << 20;
    const Batch& largest = find(most_images, most_bytes);
    library_bytes_ = std::max({largest.forward.bytes, largest.backward_data.bytes, largest.backward_weights.bytes});
  }

  std::string description() const override { return fmt::format("cuDNN {}", cudnnGetVersion()); }
  /// The weights in cuDNN's order, then what its algorithms ask for, aligned for them.
  std::size_t workspace_size() const override {
    return weights_size() + (library_bytes_ + library_alignment + sizeof(T) - 1) / sizeof(T);
  }

  void forward(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> weights,
               const ConstVector<T, Exec> bias, const ChainStart start, const Tensor4<T, Exec> dst,
               const Vector<T, Exec> workspace) override {
    const Batch& batch = find(src.extent_int(0), library_bytes_);
    const T beta = start == ChainStart::dst ? 1 : 0;
    pack(exec, weights, workspace);
    check(cudnnConvolutionForward(on(exec), &one, batch.shapes.src, src.data(), batch.shapes.weights, workspace.data(),
                                  batch.shapes.window, batch.forward.algorithm, room(workspace, batch.forward.bytes), batch.forward.bytes,
                                  &beta, batch.shapes.dst, dst.data()),
          "forward");
    if (start == ChainStart::bias)
      check(cudnnAddTensor(on(exec), &one, batch.shapes.bias, bias.data(), &one, batch.shapes.dst, dst.data()), "bias");
  }

  void backward_data(const Exec& exec, const ConstTensor4<T, Exec> diff_dst, const ConstTensor4<T, Exec> weights,
                     const ChainStart start, const Tensor4<T, Exec> diff_src,
                     const Vector<T, Exec> workspace) override {
    const Batch& batch = find(diff_dst.extent_int(0), library_bytes_);
    const T beta = start == ChainStart::dst ? 1 : 0;
    pack(exec, weights, workspace);
    check(cudnnConvolutionBackwardData(on(exec), &one, batch.shapes.weights, workspace.data(), batch.shapes.dst,
                                       diff_dst.data(), batch.shapes.window, batch.backward_data.algorithm,
                                       room(workspace, batch.backward_data.bytes), batch.backward_data.bytes, &beta, batch.shapes.src,
                                       diff_src.data()),
          "backward data");
  }

  void backward_weights(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> diff_dst,
                        const Tensor4<T, Exec> diff_weights, const Vector<T, Exec> workspace) override {
    const Batch& batch = find(src.extent_int(0), library_bytes_);
    const T zero = 0;
    check(
        cudnnConvolutionBackwardFilter(on(exec), &one, batch.shapes.src, src.data(), batch.shapes.dst, diff_dst.data(),
                                       batch.shapes.window, batch.backward_weights.algorithm,
                                       room(workspace, batch.backward_weights.bytes), batch.backward_weights.bytes, &zero, batch.shapes.weights, workspace.data()),
        "backward weights");
    require_cublas(transpose(cublas_->on(exec.cuda_stream()), problem_.dst.channels, rows(), workspace.data(),
                             diff_weights.data()),
                   "cuBLAS: order of weights");
  }

 private:
  static constexpr T one = 1;
  static constexpr std::size_t library_alignment = 256;  // as cudaMalloc gives it

  /// Shapes and choices for one number of images: in training one or two are met.
  struct Batch {
    Batch(const ConvolutionProblem& problem, const int images) : shapes(problem, images) {}
    CudnnShapes<T> shapes;
    AlgorithmChoice<cudnnConvolutionFwdAlgo_t> forward;
    AlgorithmChoice<cudnnConvolutionBwdDataAlgo_t> backward_data;
    AlgorithmChoice<cudnnConvolutionBwdFilterAlgo_t> backward_weights;
  };

  /// Taps and inputs of one output, which are the rows of [KH, KW, IC, OC].
  int rows() const { return problem_.taps * problem_.taps * problem_.src.channels; }
  std::size_t weights_size() const { return std::size_t(rows()) * std::size_t(problem_.dst.channels); }

  /// Of `bytes` for cuDNN: in the workspace, which was measured for the largest batch. A smaller one may ask for more;
  /// then, once, for memory of our own, rather than end a training at the last batch of its first epoch.
  void* room(const Vector<T, Exec>& workspace, const std::size_t bytes) {
    if (bytes <= library_bytes_) return aligned(workspace.data() + weights_size(), library_alignment);
    if (own_room_.extent(0) < bytes) own_room_ = Kokkos::View<std::byte*, Exec>("bcr::nn::cudnn_room", bytes);
    return own_room_.data();
  }

  cudnnHandle_t on(const Exec& exec) {
    check(cudnnSetStream(*cudnn_, exec.cuda_stream()), "cudnnSetStream");
    return *cudnn_;
  }

  void pack(const Exec& exec, const ConstTensor4<T, Exec>& weights, const Vector<T, Exec>& workspace) {
    require_cublas(
        transpose(cublas_->on(exec.cuda_stream()), rows(), problem_.dst.channels, weights.data(), workspace.data()),
        "cuBLAS: order of weights");
  }

  void check(const cudnnStatus_t status, const std::string_view what) const {
    if (status == CUDNN_STATUS_SUCCESS) return;
    throw BackendError(fmt::format("cuDNN {} of {}", what, problem_.text()), "a result", cudnnGetErrorString(status));
  }

  const Batch& find(const int images, const std::size_t most_bytes) {
    const auto known = batches_.find(images);
    if (known != batches_.end()) return *known->second;
    auto batch = std::make_unique<Batch>(problem_, images);
    const CudnnShapes<T>& shapes = batch->shapes;
    int count = 0;
    std::array<cudnnConvolutionFwdAlgoPerf_t, CUDNN_CONVOLUTION_FWD_ALGO_COUNT> forward;
    check(cudnnGetConvolutionForwardAlgorithm_v7(*cudnn_, shapes.src, shapes.weights, shapes.window, shapes.dst,
                                                 CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &count, forward.data()),
          "choice forward");
    batch->forward = choose(forward, count, most_bytes, problem_.text());
    std::array<cudnnConvolutionBwdDataAlgoPerf_t, CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT> data;
    check(cudnnGetConvolutionBackwardDataAlgorithm_v7(*cudnn_, shapes.weights, shapes.dst, shapes.window, shapes.src,
                                                      CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT, &count, data.data()),
          "choice backward data");
    batch->backward_data = choose(data, count, most_bytes, problem_.text());
    std::array<cudnnConvolutionBwdFilterAlgoPerf_t, CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT> weights;
    check(
        cudnnGetConvolutionBackwardFilterAlgorithm_v7(*cudnn_, shapes.src, shapes.dst, shapes.window, shapes.weights,
                                                      CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT, &count, weights.data()),
        "choice backward weights");
    batch->backward_weights = choose(weights, count, most_bytes, problem_.text());
    return *(batches_[images] = std::move(batch));
  }

  ConvolutionProblem problem_;
  std::shared_ptr<CudnnHandle> cudnn_;
  std::shared_ptr<CublasHandle> cublas_;
  std::size_t library_bytes_ = 0;
  Kokkos::View<std::byte*, Exec> own_room_;
  std::map<int, std::unique_ptr<Batch>> batches_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cudnn_convolution(const ConvolutionProblem& problem,
                                                                    const int most_images) {
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    return std::make_unique<CudnnConvolution<T>>(problem, most_images);
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_cudnn_convolution<Exec, T>(const ConvolutionProblem&, int);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
