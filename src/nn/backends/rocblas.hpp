#ifndef BCR_SRC_NN_BACKENDS_ROCBLAS_HPP
#define BCR_SRC_NN_BACKENDS_ROCBLAS_HPP

#include "src/nn/backends/device_product.hpp"
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

}  // namespace bcr::nn

#endif
