#ifndef BCR_KERNELS_NORM_BATCH_NORM_FORWARD_HPP
#define BCR_KERNELS_NORM_BATCH_NORM_FORWARD_HPP

#include "kernels/norm/activation.hpp"
#include "kernels/norm/dropout_mask.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels {

/// sums(0, c) = sum_r src(r, c),  sums(1, c) = sum_r src(r, c)^2       src [rows, C], sums [2, C], in double.
///
/// One pass. Order, the same everywhere:
///   chunk k is 256 consecutive rows, the last one shorter; within it s = +0, then ascending rows, s = s + x and
///   s = fma(x, x, s); the chunk sums are joined by the tree of neighbours of kernels/reduce/fixed_sum.hpp.
/// These are sums, not moments, so that parts of a batch can be added. rows = 0 gives zeros.
/// src must be contiguous. partials: norm_partials(rows, C) elements or more, contents undefined afterwards.
/// Asynchronous on exec, no allocation. Traffic: rows C sizeof(T).
template <class Exec, class T>
void batch_norm_sums(const Exec& exec, ConstMatrix<T, Exec> src, Vector<double, Exec> partials,
                     Matrix<double, Exec> sums);

/// Elements of partials that batch_norm_sums, batch_norm_backward_sums and column_sums need.
std::size_t norm_partials(std::size_t rows, std::size_t channels);

/// y = fma(scale(c), src(r, c), shift(c)), then relu if asked for, then dropout:
///
///   dst(r, c) = keep ? relu(y) T(1 / (1 - rate)) : 0       with the mask of flat index r C + c (dropout_mask.hpp).
///
/// src, dst [rows, C], contiguous; dst may be src. NaN stays NaN. Asynchronous on exec.
/// Traffic: 2 rows C sizeof(T).
template <class Exec, class T>
void batch_norm_forward(const Exec& exec, ConstMatrix<T, Exec> src, ConstVector<T, Exec> scale,
                        ConstVector<T, Exec> shift, Activation activation, const Dropout& dropout, Matrix<T, Exec> dst);

}  // namespace bcr::kernels

#endif
