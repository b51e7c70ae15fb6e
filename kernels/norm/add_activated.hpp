#ifndef BCR_KERNELS_NORM_ADD_ACTIVATED_HPP
#define BCR_KERNELS_NORM_ADD_ACTIVATED_HPP

#include "kernels/norm/activation.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

/// dst(i) = activation(a(i) + b(i)). dst may be a or b; lengths must agree. Asynchronous on exec.
/// Traffic: 3 sizeof(T) per element.
template <class Exec, class T>
void add_activated(const Exec& exec, ConstVector<T, Exec> a, ConstVector<T, Exec> b, Activation activation,
                   Vector<T, Exec> dst);

}  // namespace bcr::kernels

#endif
