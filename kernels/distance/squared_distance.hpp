#ifndef BCR_KERNELS_DISTANCE_SQUARED_DISTANCE_HPP
#define BCR_KERNELS_DISTANCE_SQUARED_DISTANCE_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// dst(i, c) = sum_d (src(i, d) - centres(c, d))^2          src [N, n], centres [C, n], dst [N, C]; any may be empty.
///
/// Order, the same on every backend, for every thread count and vector width:
///   for each chunk of 128 consecutive d, ascending (the last may be shorter):
///     s = +0; for d ascending: t = src(i, d) - centres(c, d), rounded; s = fma(t, t, s)
///     total = s for the first chunk, total + s for the others
/// The differences are taken before squaring, so close points keep all their digits: with u the unit roundoff of T the
/// relative error is at most (130 + ceil(n / 128)) u. A NaN or infinity reaches exactly the distances it belongs to.
/// Asynchronous on exec; dst must not overlap the inputs; no allocation after the first call of a process.
/// Work: N C n subtractions and as many fma. Traffic: (N n + C n + N C) sizeof(T).
template <class Exec, class T>
void squared_distance(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> centres, Matrix<T, Exec> dst);

}  // namespace bcr::kernels

#endif
