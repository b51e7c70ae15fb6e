// Stands in for onednn_convolution.cpp in a build without oneDNN.
#include "src/core/instances.hpp"
#include "src/nn/backends/onednn_convolution.hpp"

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution(const ConvolutionProblem&, int, const Exec&) {
  return nullptr;
}

std::string onednn_version() {
  return "none";
}

#define BCR_INSTANCE(Exec, T)                                                                                       \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution<Exec, T>(const ConvolutionProblem&, \
                                                                                         int, const Exec&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
