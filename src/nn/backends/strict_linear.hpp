#ifndef BCR_SRC_NN_BACKENDS_STRICT_LINEAR_HPP
#define BCR_SRC_NN_BACKENDS_STRICT_LINEAR_HPP

#include "src/nn/linear_backend.hpp"

namespace bcr::nn {

/// The kernels of this project: every execution space, the same bits everywhere.
template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_strict_linear(const LinearProblem& problem);

}  // namespace bcr::nn

#endif
