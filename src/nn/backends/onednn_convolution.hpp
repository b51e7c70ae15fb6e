#ifndef BCR_SRC_NN_BACKENDS_ONEDNN_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_ONEDNN_CONVOLUTION_HPP

#include "src/nn/convolution_backend.hpp"

namespace bcr::nn {

/// oneDNN on the host's cores or, in a build for Kokkos::SYCL, on its device; null for what it does not compute there
/// (double, other spaces), or in a build without oneDNN.
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_onednn_convolution(const ConvolutionProblem& problem, int most_images,
                                                                     const Exec& exec);

/// "oneDNN 3.2.0, avx2", or "none".
std::string onednn_version();

}  // namespace bcr::nn

#endif
