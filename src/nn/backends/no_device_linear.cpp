// Stands in for cublas_linear.cpp and rocblas_linear.cpp in a build without either library.
#include "src/core/instances.hpp"
#include "src/nn/backends/device_linear.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_device_linear() {
  return nullptr;
}

#define BCR_INSTANCE(Exec, T) template std::unique_ptr<LinearBackend<Exec, T>> make_device_linear<Exec, T>();
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
