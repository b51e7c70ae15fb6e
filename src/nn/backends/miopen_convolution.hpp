#ifndef BCR_SRC_NN_BACKENDS_MIOPEN_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_MIOPEN_CONVOLUTION_HPP

#include "src/nn/convolution_backend.hpp"

namespace bcr::nn {

/// MIOpen's convolutions of floats on AMD devices, on the stream of exec: only solutions whose result does not change
/// from run to run. nullptr for doubles, other execution spaces and builds without MIOpen.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_miopen_convolution(const ConvolutionProblem& problem,
                                                                     int most_images);

}  // namespace bcr::nn

#endif
