// Stands in for rocblas_convolution.cpp in a build without rocBLAS.
#include "src/core/instances.hpp"
#include "src/nn/backends/rocblas_convolution.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution(const ConvolutionProblem&) {
  return nullptr;
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution<Exec, T>(const ConvolutionProblem&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
