#ifndef BCR_SRC_NN_BACKENDS_FAST_CONVOLUTION_HPP
#define BCR_SRC_NN_BACKENDS_FAST_CONVOLUTION_HPP

#include "src/nn/convolution_backend.hpp"

namespace bcr::nn {

/// Each direction by the quicker of two: the vendor's library, or our kernels where Winograd's algorithm saves more
/// products than the library's better use of the machine could win back (16 in place of 36).
template <class Exec, class T>
std::unique_ptr<ConvolutionBackend<Exec, T>> make_fast_convolution(
    const ConvolutionProblem& problem, std::unique_ptr<ConvolutionBackend<Exec, T>> library,
    std::unique_ptr<ConvolutionBackend<Exec, T>> strict);

}  // namespace bcr::nn

#endif
