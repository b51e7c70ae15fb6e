#include "src/nn/backends/cublas_convolution.hpp"

#include "src/core/instances.hpp"
#include "src/nn/backends/cublas.hpp"
#include "src/nn/backends/one_tap_convolution.hpp"

#include <type_traits>

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution(const ConvolutionProblem& problem) {
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) {
    return make_one_tap_convolution<Cublas, T>(problem);
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution<Exec, T>(const ConvolutionProblem&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
