#ifndef BCR_SRC_NN_BACKENDS_ROCBLAS_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_ROCBLAS_CONVOLUTION_HPP

#include "src/nn/convolution_backend.hpp"

namespace bcr::nn {

/// Convolutions of one tap, stride 1, on AMD devices: matrix products of rocBLAS, on the stream of exec, with our
/// memory as it is. nullptr for other problems, execution spaces and builds without rocBLAS.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_rocblas_convolution(const ConvolutionProblem& problem);

}  // namespace bcr::nn

#endif
