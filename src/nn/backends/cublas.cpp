#include "src/core/instances.hpp"
#include "src/nn/backends/backends.hpp"
#include "src/nn/backends/cuda_handles.hpp"
#include "src/nn/backends/device_blas.hpp"

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace bcr::nn {

/// Products by cuBLAS on the stream of an execution space instance.
class Cublas {
 public:
  using Exec = Kokkos::Cuda;
  static constexpr const char* name = "cuBLAS";

  template <class T>
  void multiply(const Exec& exec, const DeviceProduct<T>& product, const std::string& operation) {
    const T one = 1;
    const auto turned = [](const Turned is) { return is == Turned::yes ? CUBLAS_OP_T : CUBLAS_OP_N; };
    require_cublas(gemm(handle_->on(exec.cuda_stream()), turned(product.turned_a), turned(product.turned_b),
                        product.rows, product.columns, product.terms, &one, product.a.data, product.a.stride,
                        product.b.data, product.b.stride, &product.beta, product.c.data, product.c.stride),
                   operation);
  }

 private:
  std::shared_ptr<CublasHandle> handle_ = shared_connection<CublasHandle>();
};

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution(const ConvolutionProblem& problem) {
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    return make_one_tap_convolution<Cublas, T>(problem);
  } else {
    return nullptr;
  }
}

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_device_linear() {
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    return std::make_unique<BlasLinear<Cublas, T>>();
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T)                                                                                        \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution<Exec, T>(const ConvolutionProblem&); \
  template std::unique_ptr<LinearBackend<Exec, T>> make_device_linear<Exec, T>();
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
