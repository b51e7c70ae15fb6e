#ifndef BCR_KERNELS_NORM_COLUMN_SUMS_HPP
#define BCR_KERNELS_NORM_COLUMN_SUMS_HPP

#include "kernels/norm/batch_norm_forward.hpp"
#include "src/core/views.hpp"

namespace bcr::kernels {

/// dst(c) = sum_r src(r, c), the gradient of a bias: in double in the order of batch_norm_sums, rounded to T.
/// src [rows, C], contiguous; partials: norm_partials(rows, C) elements or more. Asynchronous on exec, no allocation.
/// Traffic: rows C sizeof(T).
template <class Exec, class T>
void column_sums(const Exec& exec, ConstMatrix<T, Exec> src, Vector<double, Exec> partials, Vector<T, Exec> dst);

}  // namespace bcr::kernels

#endif
