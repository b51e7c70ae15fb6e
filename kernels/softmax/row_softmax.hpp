#ifndef BCR_KERNELS_SOFTMAX_ROW_SOFTMAX_HPP
#define BCR_KERNELS_SOFTMAX_ROW_SOFTMAX_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

/// With z(i, c) = scale src(i, c) and m(i) = max_c z(i, c):
///   log_sum_exp(i) = m(i) + log sum_c exp(z(i, c) - m(i))
///   dst(i, c)      = exp(z(i, c) - m(i)) / sum_c exp(z(i, c) - m(i))
/// src, dst [N, C] with C > 0 unless N = 0; log_sum_exp [N]; dst may be src. scale = -1 turns squared distances to
/// logits.
///
/// Computed in double with the strict exp and log, each exponential rounded to T for storage, the sum in the order of
/// kernels/reduce/fixed_sum.hpp: the same bits everywhere. For float the results are within 1 ulp as long as they are
/// normal numbers; for double the relative error is about (|z - m| + 2) 2^-53. Finite for finite z; a NaN, a +infinity
/// or a row of only -infinity makes its row NaN. Asynchronous on exec, no allocation. Traffic: three passes over a row,
/// which stays in cache.
template <class Exec, class T>
void row_softmax(const Exec& exec, ConstMatrix<T, Exec> src, T scale, Matrix<T, Exec> dst, Vector<T, Exec> log_sum_exp);

/// The first output alone; src is read and nothing else is written. Same bits as row_softmax gives.
template <class Exec, class T>
void row_log_sum_exp(const Exec& exec, ConstMatrix<T, Exec> src, T scale, Vector<T, Exec> log_sum_exp);

}  // namespace bcr::kernels

#endif
