#ifndef BCR_SRC_NN_BACKENDS_DEVICE_LINEAR_HPP
#define BCR_SRC_NN_BACKENDS_DEVICE_LINEAR_HPP

#include "src/nn/linear_backend.hpp"

#include <memory>

namespace bcr::nn {

/// The products of a fully connected layer by the vendor's BLAS (cuBLAS, rocBLAS) on the stream of exec, with our
/// memory as it is. nullptr for other execution spaces and builds without one.
template <class Exec, class T>
std::unique_ptr<LinearBackend<Exec, T>> make_device_linear();

}  // namespace bcr::nn

#endif
