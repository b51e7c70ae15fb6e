#ifndef BCR_SRC_NN_BACKENDS_CUBLAS_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_CUBLAS_CONVOLUTION_HPP

#include "src/nn/convolution_backend.hpp"

namespace bcr::nn {

/// Convolutions of one tap, stride 1, on NVIDIA devices: matrix products of cuBLAS, on the stream of exec, with our
/// memory as it is. nullptr for other problems, execution spaces and builds without cuBLAS.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cublas_convolution(const ConvolutionProblem& problem);

}  // namespace bcr::nn

#endif
