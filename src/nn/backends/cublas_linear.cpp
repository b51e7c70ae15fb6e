#include "src/core/instances.hpp"
#include "src/nn/backends/blas_linear.hpp"
#include "src/nn/backends/cublas.hpp"
#include "src/nn/backends/device_linear.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_device_linear() {
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    return std::make_unique<BlasLinear<Cublas, T>>();
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T) template std::unique_ptr<LinearBackend<Exec, T>> make_device_linear<Exec, T>();
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
