#ifndef BCR_SRC_NN_BACKENDS_ONE_TAP_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_ONE_TAP_CONVOLUTION_HPP

#include "src/nn/backends/device_product.hpp"
#include "src/nn/convolution_backend.hpp"

#include <memory>
#include <string>

namespace bcr::nn {

/// dst(i) = bias(i mod channels): what a chain of additions starts from.
template <class Exec, class T>
struct RepeatBias {
  ConstVector<T, Exec> bias;
  Vector<T, Exec> dst;
  KOKKOS_FUNCTION void operator()(const int i) const { dst(i) = bias(i % bias.extent_int(0)); }
};

/// A convolution of one tap is a product of matrices. Row-major ones are the transposed ones to the libraries, which
/// count by columns: dst = src W becomes dst' = W' src'. `Blas` is such a library on the devices of Blas::Exec:
/// Blas::name, and multiply(exec, DeviceProduct<T>, operation) on the stream of exec.
template <class Blas, class T>
class OneTapConvolution : public ConvolutionBackend<typename Blas::Exec, T> {
 public:
  using Exec = typename Blas::Exec;
  using ChainStart = kernels::ChainStart;

  explicit OneTapConvolution(const ConvolutionProblem& problem)
      : operation_(std::string(Blas::name) + " for " + problem.text()),
        inputs_(problem.src.channels),
        outputs_(problem.dst.channels) {}

  std::string description() const override { return Blas::name; }
  std::size_t workspace_size() const override { return 0; }

  void forward(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> weights,
               const ConstVector<T, Exec> bias, const ChainStart start, const Tensor4<T, Exec> dst,
               const Vector<T, Exec>) override {
    if (start == ChainStart::bias)
      Kokkos::parallel_for("bcr::nn::repeat_bias", Kokkos::RangePolicy<Exec>(exec, 0, dst.size()),
                           RepeatBias<Exec, T>{bias, Vector<T, Exec>(dst.data(), dst.size())});
    blas_.multiply(exec,
                   DeviceProduct<T>{Turned::no,
                                    Turned::no,
                                    outputs_,
                                    pixels(src),
                                    inputs_,
                                    {weights.data(), outputs_},
                                    {src.data(), inputs_},
                                    T(start == ChainStart::zero ? 0 : 1),
                                    {dst.data(), outputs_}},
                   operation_);
  }

  void backward_data(const Exec& exec, const ConstTensor4<T, Exec> diff_dst, const ConstTensor4<T, Exec> weights,
                     const ChainStart start, const Tensor4<T, Exec> diff_src, const Vector<T, Exec>) override {
    blas_.multiply(exec,
                   DeviceProduct<T>{Turned::yes,
                                    Turned::no,
                                    inputs_,
                                    pixels(diff_dst),
                                    outputs_,
                                    {weights.data(), outputs_},
                                    {diff_dst.data(), outputs_},
                                    T(start == ChainStart::dst ? 1 : 0),
                                    {diff_src.data(), inputs_}},
                   operation_);
  }

  void backward_weights(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> diff_dst,
                        const Tensor4<T, Exec> diff_weights, const Vector<T, Exec>) override {
    blas_.multiply(exec,
                   DeviceProduct<T>{Turned::no,
                                    Turned::yes,
                                    outputs_,
                                    inputs_,
                                    pixels(src),
                                    {diff_dst.data(), outputs_},
                                    {src.data(), inputs_},
                                    T(0),
                                    {diff_weights.data(), outputs_}},
                   operation_);
  }

 private:
  static int pixels(const ConstTensor4<T, Exec>& images) {
    return images.extent_int(0) * images.extent_int(1) * images.extent_int(2);
  }

  std::string operation_;
  int inputs_;
  int outputs_;
  Blas blas_;
};

/// Nothing unless the convolution has one tap, stride 1 and no padding.
template <class Blas, class T>
std::unique_ptr<ConvolutionBackend<typename Blas::Exec, T>> make_one_tap_convolution(
    const ConvolutionProblem& problem) {
  if (problem.taps != 1 || problem.window.stride != 1 || problem.window.pad != 0) return nullptr;
  return std::make_unique<OneTapConvolution<Blas, T>>(problem);
}

}  // namespace bcr::nn

#endif
