#ifndef BCR_KERNELS_REDUCE_SUM_HPP
#define BCR_KERNELS_REDUCE_SUM_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// A number in the memory of an execution space.
template <class Exec>
using DeviceScalar = RightView<double, Exec>;

/// Sums of vectors in the order of kernels/reduce/fixed_sum.hpp, accumulated in double for float and double alike; the
/// result stays on the device. `partials` is the caller's memory for one double per chunk: at least
/// sum_chunks(length) entries, contents undefined afterwards. An empty sum is +0. Asynchronous on exec, no allocation.
/// Traffic: one pass over the input(s).

/// dst = sum_i src(i)
template <class Exec, class T>
void sum(const Exec& exec, ConstVector<T, Exec> src, Vector<double, Exec> partials, DeviceScalar<Exec> dst);

/// dst = sum_i a(i) b(i), each term one fma in double: for float the products are exact.
template <class Exec, class T>
void dot(const Exec& exec, ConstVector<T, Exec> a, ConstVector<T, Exec> b, Vector<double, Exec> partials,
         DeviceScalar<Exec> dst);

/// dst = sqrt(sum_i src(i)^2), the root correctly rounded. No scaling: |src(i)| above 1e154 overflows to infinity.
template <class Exec, class T>
void norm2(const Exec& exec, ConstVector<T, Exec> src, Vector<double, Exec> partials, DeviceScalar<Exec> dst);

}  // namespace bcr::kernels

#endif
