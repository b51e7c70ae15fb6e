#ifndef BCR_KERNELS_DISTANCE_SQUARED_DISTANCE_GRADIENT_HPP
#define BCR_KERNELS_DISTANCE_SQUARED_DISTANCE_GRADIENT_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

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

}  // namespace bcr::kernels

#endif
