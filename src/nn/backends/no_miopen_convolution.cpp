// Stands in for miopen_convolution.cpp in a build without MIOpen.
#include "src/core/instances.hpp"
#include "src/nn/backends/miopen_convolution.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_miopen_convolution(const ConvolutionProblem&, int) {
  return nullptr;
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_miopen_convolution<Exec, T>(const ConvolutionProblem&, \
                                                                                         int);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
