#ifndef BCR_SRC_NN_BACKENDS_DEVICE_BLAS_HPP
#define BCR_SRC_NN_BACKENDS_DEVICE_BLAS_HPP

#include "kernels/linear/linear.hpp"
#include "src/nn/convolution_backend.hpp"
#include "src/nn/linear_backend.hpp"

#include <memory>
#include <string>

namespace bcr::nn {

/// How a product reads a matrix that is stored by columns.
enum class Turned { no, yes };

/// c [rows, columns] = a [rows, terms] b [terms, columns] + beta c, as a vendor's BLAS counts: by columns.
template <class T>
struct DeviceProduct {
  template <class Element>
  struct Operand {
    Element* data;
    int stride;
  };

  Turned turned_a, turned_b;
  int rows, columns, terms;
  Operand<const T> a, b;
  T beta;
  Operand<T> c;
};

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

/// A fully connected layer by such a library, which sees our row-major matrices transposed:
/// dst = src W^T becomes dst' = W src' of matrices stored by columns.
template <class Blas, class T>
class BlasLinear : public LinearBackend<typename Blas::Exec, T> {
 public:
  using Exec = typename Blas::Exec;
  using ChainStart = kernels::ChainStart;

  std::string description() const override { return Blas::name; }
  std::size_t workspace_size() const override { return 0; }

  void forward(const Exec& exec, const ConstMatrix<T, Exec> src, const ConstMatrix<T, Exec> weights,
               const ConstVector<T, Exec> bias, const Matrix<T, Exec> dst, const Vector<T, Exec>) override {
    const bool has_bias = bias.extent(0) > 0;
    if (has_bias) kernels::fill_rows<Exec, T>(exec, bias, dst);
    const int inputs = src.extent_int(1);
    const int outputs = dst.extent_int(1);
    multiply(exec, {Turned::yes,
                    Turned::no,
                    outputs,
                    dst.extent_int(0),
                    inputs,
                    {weights.data(), inputs},
                    {src.data(), inputs},
                    T(has_bias ? 1 : 0),
                    {dst.data(), outputs}});
  }

  void backward_data(const Exec& exec, const ConstMatrix<T, Exec> diff_dst, const ConstMatrix<T, Exec> weights,
                     const ChainStart start, const Matrix<T, Exec> diff_src, const Vector<T, Exec>) override {
    const int inputs = diff_src.extent_int(1);
    const int outputs = diff_dst.extent_int(1);
    multiply(exec, {Turned::no,
                    Turned::no,
                    inputs,
                    diff_src.extent_int(0),
                    outputs,
                    {weights.data(), inputs},
                    {diff_dst.data(), outputs},
                    T(start == ChainStart::dst ? 1 : 0),
                    {diff_src.data(), inputs}});
  }

  void backward_weights(const Exec& exec, const ConstMatrix<T, Exec> src, const ConstMatrix<T, Exec> diff_dst,
                        const Matrix<T, Exec> diff_weights, const Vector<T, Exec>) override {
    const int inputs = src.extent_int(1);
    const int outputs = diff_dst.extent_int(1);
    multiply(exec, {Turned::no,
                    Turned::yes,
                    inputs,
                    outputs,
                    src.extent_int(0),
                    {src.data(), inputs},
                    {diff_dst.data(), outputs},
                    T(0),
                    {diff_weights.data(), inputs}});
  }

 private:
  void multiply(const Exec& exec, const DeviceProduct<T>& product) {
    blas_.multiply(exec, product, std::string(Blas::name) + " for a fully connected layer");
  }

  Blas blas_;
};

}  // namespace bcr::nn

#endif
