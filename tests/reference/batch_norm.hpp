#ifndef BCR_TESTS_REFERENCE_BATCH_NORM_HPP
#define BCR_TESTS_REFERENCE_BATCH_NORM_HPP

#include "src/core/random.hpp"
#include "tests/reference/fixed_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

// Batch norm, activation and dropout as plain loops over flat arrays [rows, channels], every operation in the
// documented order and type, so that results are compared bit for bit.
namespace bcr::reference {

/// The sum down column c: chunks of 256 rows from +0, joined by the tree. add(element, sum) adds one term.
template <class Add>
double column_sum(const int rows, const int channels, const int c, const Add& add) {
  std::vector<double> chunks;
  for (int begin = 0; begin < rows; begin += 256) {
    double sum = 0;
    for (int row = begin; row < std::min(begin + 256, rows); ++row)
      sum = add(static_cast<std::size_t>(row) * channels + c, sum);
    chunks.push_back(sum);
  }
  return neighbour_tree(chunks);
}

/// Eight elements share the first four words of one Random, 16 bits each, low half first.
inline bool is_kept(const double rate, const std::uint64_t seed, const std::uint32_t stream, const std::uint32_t step,
                    const std::size_t element) {
  Stream named("");
  named.id = stream;
  Random random(seed, named, step, element / 8);
  std::uint32_t word = 0;
  for (std::size_t i = 0; i <= element % 8 / 2; ++i) word = random.word();
  const std::uint32_t half = element % 2 == 0 ? word & 0xFFFF : word >> 16;
  return half >= std::floor(rate * 65536);
}

template <class T>
T relu(const T y) {
  return y <= 0 ? T(0) : y;
}

/// One channel of a layer.
template <class T>
struct Channel {
  T mean, inverse_std, scale, shift;
};

template <class T>
Channel<T> channel(const double mean, const double variance, const T gamma, const T beta, const double epsilon) {
  const double inverse_std = 1 / std::sqrt(variance + epsilon);
  const T scale = static_cast<T>(double(gamma) * inverse_std);
  const double shift = std::fma(-mean, double(scale), double(beta));
  return {static_cast<T>(mean), static_cast<T>(inverse_std), scale, static_cast<T>(shift)};
}

/// dst of one element; `factor` is 1 / (1 - rate) in T.
template <class T>
T forward(const Channel<T>& c, const T x, const bool with_relu, const bool kept, const T factor) {
  const T y = std::fma(c.scale, x, c.shift);
  const T active = with_relu ? relu(y) : y;
  return kept ? active * factor : T(0);
}

/// What of the gradient of one element reaches the normalisation, without the factor.
template <class T>
T passed_back(const Channel<T>& c, const T x, const T diff, const bool with_relu, const bool kept) {
  const bool blocked = with_relu && std::fma(c.scale, x, c.shift) <= 0;
  return kept && !blocked ? diff : T(0);
}

}  // namespace bcr::reference

#endif
