#ifndef BCR_SRC_NN_BACKENDS_BLAS_LINEAR_HPP
#define BCR_SRC_NN_BACKENDS_BLAS_LINEAR_HPP

#include "kernels/linear/linear.hpp"
#include "src/nn/backends/device_product.hpp"
#include "src/nn/linear_backend.hpp"

#include <string>

namespace bcr::nn {

/// A fully connected layer by `Blas` (one_tap_convolution.hpp), which sees our row-major matrices transposed:
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
