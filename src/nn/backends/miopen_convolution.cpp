#include "src/nn/backends/backends.hpp"

#include "src/core/instances.hpp"
#include "src/nn/backends/miopen_descriptors.hpp"
#include "src/nn/backends/rocblas_handle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <type_traits>
#include <vector>

namespace bcr::nn {
namespace {

using kernels::ChainStart;
using Exec = Kokkos::HIP;

/// dst(i) += terms(i mod size of terms): a bias for each pixel, or another image for each element.
struct AddRepeated {
  ConstVector<float, Exec> terms;
  Vector<float, Exec> dst;
  KOKKOS_FUNCTION void operator()(const std::size_t i) const { dst(i) += terms(i % terms.extent(0)); }
};

void add_repeated(const Exec& exec, const ConstVector<float, Exec>& terms, const Tensor4<float, Exec>& dst) {
  Kokkos::parallel_for("bcr::nn::add_repeated",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, dst.size()),
                       AddRepeated{terms, Vector<float, Exec>(dst.data(), dst.size())});
}

/// Compiles and returns the first of MIOpen's list, quickest first by its own estimate, that does with `most_bytes`.
template <class Count, class List, class Compile>
miopenConvSolution_t first_fitting(const Count& count, const List& list, const Compile& compile,
                                   const std::size_t most_bytes, const std::string& problem) {
  std::size_t found = 0;
  require_miopen(count(&found), "MIOpen: number of solutions for " + problem);
  std::vector<miopenConvSolution_t> solutions(found);
  require_miopen(list(found, &found, solutions.data()), "MIOpen: solutions for " + problem);
  for (std::size_t i = 0; i < found; ++i) {
    if (solutions[i].workspace_size > most_bytes) continue;
    require_miopen(compile(solutions[i].solution_id), "MIOpen: compilation for " + problem);
    return solutions[i];
  }
  throw BackendError("MIOpen for " + problem, "a deterministic solution", "none within its workspace");
}

/// The workspace holds the weights in MIOpen's order, then a result that is still to be added to what is there (MIOpen
/// always overwrites), then what its solutions ask for.
class MiopenConvolution : public ConvolutionBackend<Exec, float> {
 public:
  MiopenConvolution(const ConvolutionProblem& problem, const int most_images)
      : problem_(problem),
        miopen_(shared_connection<MiopenHandle>()),
        rocblas_(shared_connection<RocblasHandle>()),
        result_size_(std::size_t(most_images) * std::max(problem.src.size(), problem.dst.size())) {
    constexpr std::size_t most_bytes = std::size_t{256} << 20;
    const Batch& largest = find(most_images, most_bytes);
    library_bytes_ = std::max({largest.forward.workspace_size, largest.backward_data.workspace_size,
                               largest.backward_weights.workspace_size});
  }

  std::string description() const override {
    std::size_t major = 0, minor = 0, patch = 0;
    require_miopen(miopenGetVersion(&major, &minor, &patch), "miopenGetVersion");
    return fmt::format("MIOpen {}.{}.{}", major, minor, patch);
  }
  std::size_t workspace_size() const override {
    return weights_size() + result_size_ + (library_bytes_ + sizeof(float) - 1) / sizeof(float);
  }

  void forward(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> weights,
               const ConstVector<float, Exec> bias, const ChainStart start, const Tensor4<float, Exec> dst,
               const Vector<float, Exec> workspace) override {
    const Batch& batch = find(src.extent_int(0), library_bytes_);
    const MiopenShapes& shapes = batch.shapes;
    pack(exec, weights, workspace);
    float* const result = start == ChainStart::dst ? result_of(workspace) : dst.data();
    check(miopenConvolutionForwardImmediate(on(exec), shapes.weights, workspace.data(), shapes.src, src.data(),
                                            shapes.window, shapes.dst, result, rest(workspace),
                                            batch.forward.workspace_size, batch.forward.solution_id),
          "forward");
    if (start == ChainStart::bias) add_repeated(exec, bias, dst);
    if (start == ChainStart::dst) add_repeated(exec, ConstVector<float, Exec>(result, dst.size()), dst);
  }

  void backward_data(const Exec& exec, const ConstTensor4<float, Exec> diff_dst,
                     const ConstTensor4<float, Exec> weights, const ChainStart start,
                     const Tensor4<float, Exec> diff_src, const Vector<float, Exec> workspace) override {
    const Batch& batch = find(diff_dst.extent_int(0), library_bytes_);
    const MiopenShapes& shapes = batch.shapes;
    pack(exec, weights, workspace);
    float* const result = start == ChainStart::dst ? result_of(workspace) : diff_src.data();
    check(miopenConvolutionBackwardDataImmediate(on(exec), shapes.dst, diff_dst.data(), shapes.weights,
                                                 workspace.data(), shapes.window, shapes.src, result, rest(workspace),
                                                 batch.backward_data.workspace_size, batch.backward_data.solution_id),
          "backward data");
    if (start == ChainStart::dst) add_repeated(exec, ConstVector<float, Exec>(result, diff_src.size()), diff_src);
  }

  void backward_weights(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> diff_dst,
                        const Tensor4<float, Exec> diff_weights, const Vector<float, Exec> workspace) override {
    const Batch& batch = find(src.extent_int(0), library_bytes_);
    const MiopenShapes& shapes = batch.shapes;
    check(miopenConvolutionBackwardWeightsImmediate(on(exec), shapes.dst, diff_dst.data(), shapes.src, src.data(),
                                                    shapes.window, shapes.weights, workspace.data(), rest(workspace),
                                                    batch.backward_weights.workspace_size,
                                                    batch.backward_weights.solution_id),
          "backward weights");
    require_rocblas(transpose(rocblas_->on(exec.hip_stream()), problem_.dst.channels, rows(), workspace.data(),
                              diff_weights.data()),
                    "rocBLAS: order of weights");
  }

 private:
  /// Shapes and choices for one number of images: in training one or two are met.
  struct Batch {
    Batch(const ConvolutionProblem& problem, const int images) : shapes(problem, images) {}
    MiopenShapes shapes;
    miopenConvSolution_t forward{};
    miopenConvSolution_t backward_data{};
    miopenConvSolution_t backward_weights{};
  };

  /// Taps and inputs of one output, which are the rows of [KH, KW, IC, OC].
  int rows() const { return problem_.taps * problem_.taps * problem_.src.channels; }
  std::size_t weights_size() const { return std::size_t(rows()) * std::size_t(problem_.dst.channels); }
  float* result_of(const Vector<float, Exec>& workspace) const { return workspace.data() + weights_size(); }
  void* rest(const Vector<float, Exec>& workspace) const { return result_of(workspace) + result_size_; }

  miopenHandle_t on(const Exec& exec) {
    check(miopenSetStream(*miopen_, exec.hip_stream()), "miopenSetStream");
    return *miopen_;
  }

  void pack(const Exec& exec, const ConstTensor4<float, Exec>& weights, const Vector<float, Exec>& workspace) {
    require_rocblas(
        transpose(rocblas_->on(exec.hip_stream()), rows(), problem_.dst.channels, weights.data(), workspace.data()),
        "rocBLAS: order of weights");
  }

  void check(const miopenStatus_t status, const std::string_view what) const {
    if (status == miopenStatusSuccess) return;
    throw BackendError(fmt::format("MIOpen {} of {}", what, problem_.text()), "a result", miopenGetErrorString(status));
  }

  const Batch& find(const int images, const std::size_t most_bytes) {
    const auto known = batches_.find(images);
    if (known != batches_.end()) return *known->second;
    auto batch = std::make_unique<Batch>(problem_, images);
    const auto& [src, dst, weights, window] = batch->shapes;
    const miopenHandle_t handle = *miopen_;
    const auto choose = [&](const auto count, const auto list, const auto compile, const auto&... shapes) {
      return first_fitting([&](auto* found) { return count(handle, shapes..., found); },
                           [&](auto most, auto* found, auto* out) { return list(handle, shapes..., most, found, out); },
                           [&](auto id) { return compile(handle, shapes..., id); }, most_bytes, problem_.text());
    };
    batch->forward = choose(miopenConvolutionForwardGetSolutionCount, miopenConvolutionForwardGetSolution,
                            miopenConvolutionForwardCompileSolution, weights, src, window, dst);
    batch->backward_data =
        choose(miopenConvolutionBackwardDataGetSolutionCount, miopenConvolutionBackwardDataGetSolution,
               miopenConvolutionBackwardDataCompileSolution, dst, weights, window, src);
    batch->backward_weights =
        choose(miopenConvolutionBackwardWeightsGetSolutionCount, miopenConvolutionBackwardWeightsGetSolution,
               miopenConvolutionBackwardWeightsCompileSolution, dst, src, window, weights);
    return *(batches_[images] = std::move(batch));
  }

  ConvolutionProblem problem_;
  std::shared_ptr<MiopenHandle> miopen_;
  std::shared_ptr<RocblasHandle> rocblas_;
  std::size_t result_size_;
  std::size_t library_bytes_ = 0;
  std::map<int, std::unique_ptr<Batch>> batches_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_miopen_convolution(const ConvolutionProblem& problem,
                                                                     const int most_images) {
  if constexpr (std::is_same_v<Exec, Kokkos::HIP> && std::is_same_v<T, float>) {
    return std::make_unique<MiopenConvolution>(problem, most_images);
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_miopen_convolution<Exec, T>(const ConvolutionProblem&, \
                                                                                         int);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
