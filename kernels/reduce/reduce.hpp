#ifndef BCR_KERNELS_REDUCE_REDUCE_HPP
#define BCR_KERNELS_REDUCE_REDUCE_HPP

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

/// index(i) = the column of the smallest (largest) entry of row i of src, the lowest column of equals (-0 equals +0);
/// value(i) = src(i, index(i)). src [N, C] with C > 0 unless N = 0; index, value [N].
/// A NaN is more extreme than any number and the first one wins, as in NumPy and PyTorch: it cannot be overlooked.
/// The result does not depend on any order. Asynchronous on exec, no allocation. Traffic: one pass over src.
template <class Exec, class T>
void row_argmin(const Exec& exec, ConstMatrix<T, Exec> src, Labels<Exec> index, Vector<T, Exec> value);

template <class Exec, class T>
void row_argmax(const Exec& exec, ConstMatrix<T, Exec> src, Labels<Exec> index, Vector<T, Exec> value);

/// mean(c) = sum_r src(r, c) / rows,  variance(c) = sum_r (src(r, c) - mean(c))^2 / rows       src [rows, channels].
///
/// Two passes over src in double, whatever T is, so the variance never cancels. Order of both sums, the same
/// everywhere:
///   chunk k is 256 consecutive rows, the last one shorter; within it s = +0, then ascending rows, s = s + x or
///   s = fma(t, t, s) with t = x - mean; the chunk sums are joined by the tree of neighbours of fixed_sum.hpp.
/// The variance is the population's (divisor rows); the sample's is rows / (rows - 1) times as large.
/// rows > 0 unless there is no channel. `partials` is the caller's memory, at least [moment_chunks(rows), channels];
/// contents undefined afterwards. Asynchronous on exec, no allocation. Traffic: two passes over src.
inline constexpr int moment_chunk = 256;
constexpr std::size_t moment_chunks(const std::size_t rows) {
  return (rows + moment_chunk - 1) / moment_chunk;
}

template <class Exec, class T>
void channel_moments(const Exec& exec, ConstMatrix<T, Exec> src, Matrix<double, Exec> partials,
                     Vector<double, Exec> mean, Vector<double, Exec> variance);

/// Whether no element is infinite or NaN; true for none. Waits for the answer. Judged by the bits, so that no
/// floating-point exception is raised. Traffic: one pass.
template <class Exec, class T>
bool all_finite(const Exec& exec, ConstVector<T, Exec> src);

}  // namespace bcr::kernels

#endif
