#ifndef BCR_SRC_NN_BACKENDS_MKL_LINEAR_HPP
#define BCR_SRC_NN_BACKENDS_MKL_LINEAR_HPP

#include "src/nn/linear_backend.hpp"

namespace bcr::nn {

/// oneMKL's gemm on the host's cores; null for devices, or in a build without oneMKL.
template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_mkl_linear();

/// "oneMKL 2026.2", or "none".
std::string mkl_version();

}  // namespace bcr::nn

#endif
