#include "src/nn/backends/rocblas_convolution.hpp"

#include "src/core/instances.hpp"
#include "src/nn/backends/one_tap_convolution.hpp"
#include "src/nn/backends/rocblas.hpp"

#include <type_traits>

namespace bcr::nn {

template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution(const ConvolutionProblem& problem) {
  if constexpr (std::is_same_v<Exec, Kokkos::HIP>) {
    return make_one_tap_convolution<Rocblas, T>(problem);
  } else {
    return nullptr;
  }
}

#define BCR_INSTANCE(Exec, T) \
  template std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution<Exec, T>(const ConvolutionProblem&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::nn
