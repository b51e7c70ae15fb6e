#ifndef BCR_SRC_NN_BACKENDS_STRICT_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_STRICT_CONVOLUTION_HPP

#include "src/nn/convolution_backend.hpp"

namespace bcr::nn {

/// The kernels of this project: every execution space, every shape, the same bits everywhere. Which algorithm computes
/// which direction follows from the shapes alone.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_strict_convolution(const ConvolutionProblem& problem,
                                                                     int most_images);

}  // namespace bcr::nn

#endif
