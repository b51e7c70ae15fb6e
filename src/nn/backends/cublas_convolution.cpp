#include "src/nn/backends/cublas_convolution.hpp"

#include "src/core/instances.hpp"
#include "src/nn/backends/cuda_handles.hpp"

#include <type_traits>

namespace bcr::nn {
namespace {

using kernels::ChainStart;

template <class T>
struct RepeatBias {
  ConstVector<T, Kokkos::Cuda> bias;
  Vector<T, Kokkos::Cuda> dst;
  KOKKOS_FUNCTION void operator()(const int i) const { dst(i) = bias(i % bias.extent_int(0)); }
};

/// Row-major matrices are the transposed ones to cuBLAS, which counts by columns: dst = src W becomes dst' = W' src'.
template <class T>
class CublasConvolution : public ConvolutionBackend<Kokkos::Cuda, T> {
 public:
  using Exec = Kokkos::Cuda;

  explicit CublasConvolution(const ConvolutionProblem& problem)
      : name_(problem.text()),
        inputs_(problem.src.channels),
        outputs_(problem.dst.channels),
        handle_(CublasHandle::shared()) {}

  std::string description() const override { return "cuBLAS"; }
  std::size_t workspace_size() const override { return 0; }

  void forward(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> weights,
               const ConstVector<T, Exec> bias, const ChainStart start, const Tensor4<T, Exec> dst,
               const Vector<T, Exec>) override {
    if (start == ChainStart::bias)
      Kokkos::parallel_for("bcr::nn::repeat_bias", Kokkos::RangePolicy<Exec>(exec, 0, dst.size()),
                           RepeatBias<T>{bias, Vector<T, Exec>(dst.data(), dst.size())});
    multiply(exec, CUBLAS_OP_N, CUBLAS_OP_N, {outputs_, pixels(src), inputs_}, {weights.data(), outputs_},
             {src.data(), inputs_}, start != ChainStart::zero, {dst.data(), outputs_});
  }

  void backward_data(const Exec& exec, const ConstTensor4<T, Exec> diff_dst, const ConstTensor4<T, Exec> weights,
                     const ChainStart start, const Tensor4<T, Exec> diff_src, const Vector<T, Exec>) override {
    multiply(exec, CUBLAS_OP_T, CUBLAS_OP_N, {inputs_, pixels(diff_dst), outputs_}, {weights.data(), outputs_},
             {diff_dst.data(), outputs_}, start == ChainStart::dst, {diff_src.data(), inputs_});
  }

  void backward_weights(const Exec& exec, const ConstTensor4<T, Exec> src, const ConstTensor4<T, Exec> diff_dst,
                        const Tensor4<T, Exec> diff_weights, const Vector<T, Exec>) override {
    multiply(exec, CUBLAS_OP_N, CUBLAS_OP_T, {outputs_, inputs_, pixels(src)}, {diff_dst.data(), outputs_},
             {src.data(), inputs_}, false, {diff_weights.data(), outputs_});
  }

 private:
  struct Extents {
    int rows, columns, terms;
  };
  template <class Element>
  struct Operand {
    Element* data;
    int stride;
  };

  static int pixels(const ConstTensor4<T, Exec>& images) {
    return images.extent_int(0) * images.extent_int(1) * images.extent_int(2);
  }

  void multiply(const Exec& exec, const cublasOperation_t op_a, const cublasOperation_t op_b, const Extents extents,
                const Operand<const T> a, const Operand<const T> b, const bool is_added, const Operand<T> c) {
    const T alpha = 1;
    const T beta = is_added ? 1 : 0;
    require_cublas(gemm(handle_->on(exec.cuda_stream()), op_a, op_b, extents.rows, extents.columns, extents.terms,
                        &alpha, a.data, a.stride, b.data, b.stride, &beta, c.data, c.stride),
                   "cuBLAS for " + name_);
  }

  std::string name_;
  int inputs_;
  int outputs_;
  std::shared_ptr<CublasHandle> handle_;
};

}  // namespace

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution(const ConvolutionProblem& problem) {
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    if (problem.taps == 1 && problem.window.stride == 1 && problem.window.pad == 0)
      return std::make_unique<CublasConvolution<T>>(problem);
  }
  return nullptr;
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution<Exec, T>(const ConvolutionProblem&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
