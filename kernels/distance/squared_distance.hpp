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

/// The two gradients of squared_distance, given diff_dst(i, c) = dL / dD^2(i, c). Shapes: src, diff_src [N, n];
/// centres, diff_centres [C, n]; diff_dst [N, C]; any may be empty, and an empty sum is +0.
///
///   diff_src(i, d)     = 2 sum_c diff_dst(i, c) (src(i, d) - centres(c, d))
///   diff_centres(c, d) = 2 sum_i diff_dst(i, c) (centres(c, d) - src(i, d))
///
/// Order, the same on every backend, for every thread count and vector width, with j the index of the sum:
///   for each chunk of 128 consecutive j, ascending (the last may be shorter):
///     s = +0; for j ascending: t = the difference, rounded; s = fma(diff_dst, t, s)
///     total = s for the first chunk, total + s for the others
///   result = 2 total (exact)
/// With J terms the error is at most (130 + ceil(J / 128)) u sum_j |2 diff_dst t|: no cancellation of large squares
/// enters. Asynchronous on exec; outputs must not overlap inputs; no allocation after the first call of a process. Work
/// of each: N C n subtractions and as many fma. Traffic: (2 N n + C n + N C) sizeof(T) and the same with N, C swapped.
template <class Exec, class T>
void squared_distance_diff_src(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> centres,
                               ConstMatrix<T, Exec> diff_dst, Matrix<T, Exec> diff_src);

template <class Exec, class T>
void squared_distance_diff_centres(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> centres,
                                   ConstMatrix<T, Exec> diff_dst, Matrix<T, Exec> diff_centres);

/// index(i) = argmin_c distances(i, c), the lowest c of equals; value(i) = distances(i, index(i)).
/// distances [N, C] with C > 0 unless N = 0; index, value [N]. A NaN counts as nearest, so that it cannot be
/// overlooked: the rules are those of row_argmin (kernels/reduce/reduce.hpp), which does the work.
template <class Exec, class T>
void nearest(const Exec& exec, ConstMatrix<T, Exec> distances, Labels<Exec> index, Vector<T, Exec> value);

}  // namespace bcr::kernels

#endif
