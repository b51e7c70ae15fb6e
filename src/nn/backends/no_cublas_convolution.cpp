// Stands in for cublas_convolution.cpp in a build without CUDA.
#include "src/core/instances.hpp"
#include "src/nn/backends/cublas_convolution.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution(const ConvolutionProblem&) {
  return nullptr;
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution<Exec, T>(const ConvolutionProblem&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
