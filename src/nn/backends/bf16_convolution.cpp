#include "src/nn/backends/backends.hpp"

#include "kernels/conv/winograd.hpp"
#include "kernels/conv/winograd_bf16.hpp"
#include "src/core/instances.hpp"
#include "src/core/launch.hpp"

#include <algorithm>
#include <type_traits>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

template <class Exec>
class Bf16Convolution : public ConvolutionBackend<Exec, float> {
 public:
  Bf16Convolution(const ConvolutionProblem& problem, const int most_images) : pad_(problem.window.pad) {
    // Views without memory: the sizes of workspaces follow from their extents.
    const ConstTensor4<float, Exec> weights(nullptr, problem.taps, problem.taps, problem.src.channels,
                                            problem.dst.channels);
    const ConstTensor4<float, Exec> dst(nullptr, most_images, problem.dst.height, problem.dst.width,
                                        problem.dst.channels);
    workspace_size_ = std::max({kernels::winograd_forward_workspace_size<Exec, float>(weights),
                                kernels::winograd_backward_data_workspace_size<Exec, float>(weights),
                                kernels::winograd_backward_weights_workspace_size<Exec, float>(dst, weights)});
  }

  std::string description() const override { return "winograd bf16"; }
  std::size_t workspace_size() const override { return workspace_size_; }

  void forward(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> weights,
               const ConstVector<float, Exec> bias, const ChainStart start, const Tensor4<float, Exec> dst,
               const Vector<float, Exec> workspace) override {
    forward_with_epilogue(exec, src, weights, bias, start, dst, {}, workspace);
  }

  void forward_with_epilogue(const Exec& exec, const ConstTensor4<float, Exec> src,
                             const ConstTensor4<float, Exec> weights, const ConstVector<float, Exec> bias,
                             const ChainStart start, const Tensor4<float, Exec> dst,
                             const kernels::Epilogue<Exec, float>& epilogue,
                             const Vector<float, Exec> workspace) override {
    kernels::winograd_bf16_forward<Exec>(exec, pad_, src, weights, bias, dst, start, workspace, epilogue);
  }

  void backward_data(const Exec& exec, const ConstTensor4<float, Exec> diff_dst,
                     const ConstTensor4<float, Exec> weights, const ChainStart start,
                     const Tensor4<float, Exec> diff_src, const Vector<float, Exec> workspace) override {
    kernels::winograd_bf16_backward_data<Exec>(exec, pad_, diff_dst, weights, diff_src, start, workspace);
  }

  void backward_weights(const Exec& exec, const ConstTensor4<float, Exec> src, const ConstTensor4<float, Exec> diff_dst,
                        const Tensor4<float, Exec> diff_weights, const Vector<float, Exec> workspace) override {
    kernels::winograd_bf16_backward_weights<Exec>(exec, pad_, src, diff_dst, diff_weights, workspace);
  }

 private:
  int pad_;
  std::size_t workspace_size_ = 0;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_bf16_convolution(const ConvolutionProblem& problem,
                                                                   const int most_images) {
  if constexpr (is_host_exec<Exec> && std::is_same_v<T, float> && kernels::multiplies_bf16_pairs)
    if (kernels::winograd_serves_bf16(problem.shape()))
      return std::make_unique<Bf16Convolution<Exec>>(problem, most_images);
  return nullptr;
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_bf16_convolution<Exec, T>(const ConvolutionProblem&, int);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
