#include "src/core/instances.hpp"
#include "src/nn/backends/backends.hpp"
#include "src/nn/backends/device_blas.hpp"
#include "src/nn/backends/rocblas_handle.hpp"

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <type_traits>

namespace bcr::nn {

/// Products by rocBLAS on the stream of an execution space instance.
class Rocblas {
 public:
  using Exec = Kokkos::HIP;
  static constexpr const char* name = "rocBLAS";

  template <class T>
  void multiply(const Exec& exec, const DeviceProduct<T>& product, const std::string& operation) {
    const T one = 1;
    const auto turned = [](const Turned is) {
      return is == Turned::yes ? rocblas_operation_transpose : rocblas_operation_none;
    };
    const auto call = [&](const auto gemm) {
      require_rocblas(gemm(handle_->on(exec.hip_stream()), turned(product.turned_a), turned(product.turned_b),
                           product.rows, product.columns, product.terms, &one, product.a.data, product.a.stride,
                           product.b.data, product.b.stride, &product.beta, product.c.data, product.c.stride),
                      operation);
    };
    if constexpr (std::is_same_v<T, float>) {
      call(rocblas_sgemm);
    } else {
      call(rocblas_dgemm);
    }
  }

 private:
  std::shared_ptr<RocblasHandle> handle_ = shared_connection<RocblasHandle>();
};

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution(const ConvolutionProblem& problem) {
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) {
    return make_one_tap_convolution<Rocblas, T>(problem);
  } else {
    return nullptr;
  }
}

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_device_linear() {
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) {
    return std::make_unique<BlasLinear<Rocblas, T>>();
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T)                                                                                         \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution<Exec, T>(const ConvolutionProblem&); \
  template std::unique_ptr<LinearBackend<Exec, T>> make_device_linear<Exec, T>();
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
