#ifndef BCR_SRC_NN_BACKENDS_CUBLAS_HPP
#define BCR_SRC_NN_BACKENDS_CUBLAS_HPP

#include "src/nn/backends/cuda_handles.hpp"
#include "src/nn/backends/device_product.hpp"

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

}  // namespace bcr::nn

#endif
