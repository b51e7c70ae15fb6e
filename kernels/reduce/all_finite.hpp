#ifndef BCR_KERNELS_REDUCE_ALL_FINITE_HPP
#define BCR_KERNELS_REDUCE_ALL_FINITE_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// Whether no element is infinite or NaN; true for none. Waits for the answer. Judged by the bits, so that no
/// floating-point exception is raised. Traffic: one pass.
template <class Exec, class T>
bool all_finite(const Exec& exec, ConstVector<T, Exec> src);

}  // namespace bcr::kernels

#endif
