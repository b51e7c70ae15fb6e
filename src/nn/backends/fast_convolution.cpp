#include "src/nn/backends/backends.hpp"

#include "kernels/conv/winograd_bf16.hpp"
#include "src/core/instances.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::nn {
namespace {

using kernels::ChainStart;
using kernels::ConvolutionAlgorithm;

template <class Exec, class T>
class FastConvolution : public ConvolutionBackend<Exec, T> {
 public:
  using Backend = ConvolutionBackend<Exec, T>;

  FastConvolution(const ConvolutionProblem& problem, std::unique_ptr<Backend> library, std::unique_ptr<Backend> strict,
                  std::unique_ptr<Backend> bf16)
      : library_(std::move(library)),
        strict_(std::move(strict)),
        bf16_(std::move(bf16)),
        forward_(choose(problem, kernels::forward_algorithm(problem.shape()))),
        backward_data_(choose(problem, kernels::backward_data_algorithm(problem.shape()))),
        backward_weights_(choose(problem, kernels::backward_weights_algorithm(problem.shape()))) {}

  std::string description() const override {
    const auto name = [&](const Backend* const chosen) {
      return chosen == strict_.get() ? std::string("winograd") : chosen->description();
    };
    return fmt::format("{}, {}, {}", name(forward_), name(backward_data_), name(backward_weights_));
  }
  std::size_t workspace_size() const override {
    return std::max({library_->workspace_size(), strict_->workspace_size(), bf16_ ? bf16_->workspace_size() : 0});
  }

  void forward(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> weights,
               const ConstVector<T, Exec> bias, const ChainStart start, const Tensor4<T, Exec> dst,
               const Vector<T, Exec> workspace) override {
    forward_->forward(exec, src, weights, bias, start, dst, workspace);
  }
  void forward_with_epilogue(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> weights,
                             const ConstVector<T, Exec> bias, const ChainStart start, const Tensor4<T, Exec> dst,
                             const kernels::Epilogue<Exec, T>& epilogue, const Vector<T, Exec> workspace) override {
    forward_->forward_with_epilogue(exec, src, weights, bias, start, dst, epilogue, workspace);
  }
  void backward_data(const Exec& exec, const ConstTensor4<T, Exec> diff_dst, const ConstTensor4<T, Exec> weights,
                     const ChainStart start, const Tensor4<T, Exec> diff_src,
                     const Vector<T, Exec> workspace) override {
    backward_data_->backward_data(exec, diff_dst, weights, start, diff_src, workspace);
  }
  void backward_weights(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> diff_dst,
                        const Tensor4<T, Exec> diff_weights, const Vector<T, Exec> workspace) override {
    backward_weights_->backward_weights(exec, src, diff_dst, diff_weights, workspace);
  }

 private:
  Backend* choose(const ConvolutionProblem& problem, const ConvolutionAlgorithm algorithm) const {
    if (bf16_ && kernels::winograd_bf16_pays(problem.shape())) return bf16_.get();
    return algorithm == ConvolutionAlgorithm::winograd ? strict_.get() : library_.get();
  }

  std::unique_ptr<Backend> library_;
  std::unique_ptr<Backend> strict_;
  std::unique_ptr<Backend> bf16_;
  Backend* forward_;
  Backend* backward_data_;
  Backend* backward_weights_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_fast_convolution(
    const ConvolutionProblem& problem, std::unique_ptr<ConvolutionBackend<Exec, T>> library,
    std::unique_ptr<ConvolutionBackend<Exec, T>> strict, std::unique_ptr<ConvolutionBackend<Exec, T>> bf16) {
  return std::make_unique<FastConvolution<Exec, T>>(problem, std::move(library), std::move(strict), std::move(bf16));
}

#define BCR_INSTANCE(Exec, T)                                                           \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_fast_convolution<Exec, T>( \
      const ConvolutionProblem&, std::unique_ptr<ConvolutionBackend<Exec, T>>,          \
      std::unique_ptr<ConvolutionBackend<Exec, T>>, std::unique_ptr<ConvolutionBackend<Exec, T>>);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
