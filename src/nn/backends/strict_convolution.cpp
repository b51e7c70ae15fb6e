#include "src/nn/backends/backends.hpp"

#include "kernels/conv/convolution.hpp"
#include "kernels/conv/convolution_algorithm.hpp"
#include "kernels/conv/winograd.hpp"
#include "src/core/instances.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

using kernels::ConvolutionAlgorithm;

template <class Exec, class T>
class StrictConvolution : public ConvolutionBackend<Exec, T> {
 public:
  StrictConvolution(const ConvolutionProblem& problem, const int most_images)
      : window_(problem.window),
        forward_(kernels::forward_algorithm(problem.shape())),
        backward_data_(kernels::backward_data_algorithm(problem.shape())),
        backward_weights_(kernels::backward_weights_algorithm(problem.shape())) {
    // Views without memory: the sizes of workspaces follow from their extents.
    const ConstTensor4<T, Exec> weights(nullptr, problem.taps, problem.taps, problem.src.channels,
                                        problem.dst.channels);
    const ConstTensor4<T, Exec> dst(nullptr, most_images, problem.dst.height, problem.dst.width, problem.dst.channels);
    workspace_size_ = std::max({forward_ == ConvolutionAlgorithm::winograd
                                    ? kernels::winograd_forward_workspace_size<Exec, T>(weights)
                                    : kernels::forward_workspace_size<Exec, T>(weights),
                                backward_data_ == ConvolutionAlgorithm::winograd
                                    ? kernels::winograd_backward_data_workspace_size<Exec, T>(weights)
                                    : kernels::backward_data_workspace_size<Exec, T>(weights),
                                backward_weights_ == ConvolutionAlgorithm::winograd
                                    ? kernels::winograd_backward_weights_workspace_size<Exec, T>(dst, weights)
                                    : kernels::backward_weights_workspace_size<Exec, T>(dst, weights)});
  }

  std::string description() const override {
    const auto name = [](const ConvolutionAlgorithm algorithm) {
      return algorithm == ConvolutionAlgorithm::winograd ? "winograd" : "direct";
    };
    return fmt::format("{}, {}, {}", name(forward_), name(backward_data_), name(backward_weights_));
  }
  std::size_t workspace_size() const override { return workspace_size_; }

  void forward(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> weights,
               const ConstVector<T, Exec> bias, const ChainStart start, const Tensor4<T, Exec> dst,
               const Vector<T, Exec> workspace) override {
    forward_with_epilogue(exec, src, weights, bias, start, dst, {}, workspace);
  }

  void forward_with_epilogue(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> weights,
                             const ConstVector<T, Exec> bias, const ChainStart start, const Tensor4<T, Exec> dst,
                             const kernels::Epilogue<Exec, T>& epilogue, const Vector<T, Exec> workspace) override {
    if (forward_ == ConvolutionAlgorithm::winograd)
      kernels::winograd_forward<Exec, T>(exec, window_.pad, src, weights, bias, dst, start, workspace, epilogue);
    else
      kernels::convolution_forward<Exec, T>(exec, window_, src, weights, bias, dst, start, workspace, epilogue);
  }

  void backward_data(const Exec& exec, const ConstTensor4<T, Exec> diff_dst, const ConstTensor4<T, Exec> weights,
                     const ChainStart start, const Tensor4<T, Exec> diff_src,
                     const Vector<T, Exec> workspace) override {
    if (backward_data_ == ConvolutionAlgorithm::winograd)
      kernels::winograd_backward_data<Exec, T>(exec, window_.pad, diff_dst, weights, diff_src, start, workspace);
    else
      kernels::convolution_backward_data<Exec, T>(exec, window_, diff_dst, weights, diff_src, start, workspace);
  }

  void backward_weights(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> diff_dst,
                        const Tensor4<T, Exec> diff_weights, const Vector<T, Exec> workspace) override {
    if (backward_weights_ == ConvolutionAlgorithm::winograd)
      kernels::winograd_backward_weights<Exec, T>(exec, window_.pad, src, diff_dst, diff_weights, workspace);
    else
      kernels::convolution_backward_weights<Exec, T>(exec, window_, src, diff_dst, diff_weights, workspace);
  }

 private:
  kernels::ConvolutionWindow window_;
  ConvolutionAlgorithm forward_;
  ConvolutionAlgorithm backward_data_;
  ConvolutionAlgorithm backward_weights_;
  std::size_t workspace_size_ = 0;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_strict_convolution(const ConvolutionProblem& problem,
                                                                     const int most_images) {
  return std::make_unique<StrictConvolution<Exec, T>>(problem, most_images);
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_strict_convolution<Exec, T>(const ConvolutionProblem&, \
                                                                                         int);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
