#ifndef BCR_KERNELS_NORM_BATCH_NORM_BACKWARD_HPP
#define BCR_KERNELS_NORM_BATCH_NORM_BACKWARD_HPP

#include "kernels/conv/window.hpp"
#include "kernels/norm/activation.hpp"
#include "kernels/norm/batch_norm_coefficients.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

/// The backward pass is three launches, as the forward pass is: sums, coefficients, then one map over the elements.
/// It recomputes from src what the forward pass did: with y = fma(scale, src, shift) and f = 1 / (1 - rate),
///
///   m = diff_dst if the element was kept and (no relu, or not y <= 0), else 0        dy = f m
///   diff_src = scale (dy - sum dy / count - xhat sum(dy xhat) / count),   xhat = (src - mean) inverse_std.

/// sums(0, c) = f sum_r m(r, c),  sums(1, c) = f inverse_std(c) sum_r m(r, c) (src(r, c) - mean(c)): sum dy and
/// sum dy xhat, in double. Order as for batch_norm_sums, s = s + m and s = fma(m, t, s) with t = src - mean rounded to
/// T; the factors are applied to the finished sums, f to the first and f inverse_std, itself rounded, to the second.
/// src, diff_dst [rows, C], contiguous; sums [2, C]; partials: norm_partials(rows, C) elements or more.
/// Asynchronous on exec, no allocation. Traffic: 2 rows C sizeof(T).
template <class Exec, class T>
void batch_norm_backward_sums(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> diff_dst,
                              const BatchNormCoefficients<Exec, T>& coefficients, Activation activation,
                              const Dropout& dropout, Vector<double, Exec> partials, Matrix<double, Exec> sums);

/// diff_beta = sum dy, diff_gamma = sum dy xhat, from the sums [2, C] rounded to T.
template <class Exec, class T>
void batch_norm_parameter_gradients(const Exec& exec, ConstMatrix<double, Exec> sums, Vector<T, Exec> diff_gamma,
                                    Vector<T, Exec> diff_beta);

/// What the map needs of a channel, terms [3, C], from the sums of `count` rows (of all shards of the batch, added):
///   terms(0) = scale f,   terms(1) = -scale inverse_std sums(1) / count,   terms(2) = -scale sums(0) / count
/// in double from left to right, rounded to T. A frozen layer (running statistics) has terms(1) = terms(2) = 0: pass
/// sums of zeros.
template <class Exec, class T>
void batch_norm_backward_terms(const Exec& exec, ConstMatrix<double, Exec> sums, double count,
                               const BatchNormCoefficients<Exec, T>& coefficients, const Dropout& dropout,
                               Matrix<T, Exec> terms);

/// diff_src = fma(terms(0), m, fma(terms(1), src - mean, terms(2))), and with ChainStart::dst the old diff_src added to
/// that. start is zero or dst. src, diff_dst, diff_src [rows, C], contiguous; diff_src may be diff_dst if start is
/// zero, and may always be src. Asynchronous on exec. Traffic: 3 rows C sizeof(T), 4 with ChainStart::dst.
template <class Exec, class T>
void batch_norm_backward(const Exec& exec, ConstMatrix<T, Exec> src, ConstMatrix<T, Exec> diff_dst,
                         const BatchNormCoefficients<Exec, T>& coefficients, ConstMatrix<T, Exec> terms,
                         Activation activation, const Dropout& dropout, ChainStart start, Matrix<T, Exec> diff_src);

}  // namespace bcr::kernels

#endif
