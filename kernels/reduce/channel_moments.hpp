#ifndef BCR_KERNELS_REDUCE_CHANNEL_MOMENTS_HPP
#define BCR_KERNELS_REDUCE_CHANNEL_MOMENTS_HPP

#include "src/core/views.hpp"

namespace bcr::kernels {

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

}  // namespace bcr::kernels

#endif
