#ifndef BCR_SRC_NN_BACKENDS_CUDNN_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_CUDNN_CONVOLUTION_HPP

#include "src/nn/convolution_backend.hpp"

namespace bcr::nn {

/// cuDNN's convolutions on NVIDIA devices, on the stream of exec: full precision (no TF32), only algorithms whose
/// result does not change from run to run. nullptr for other execution spaces and builds without cuDNN.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_cudnn_convolution(const ConvolutionProblem& problem, int most_images);

}  // namespace bcr::nn

#endif
