#ifndef BCR_KERNELS_FILL_FILL_RANDOM_HPP
#define BCR_KERNELS_FILL_FILL_RANDOM_HPP

#include "kernels/math/cos_pi.hpp"
#include "kernels/math/log.hpp"
#include "src/core/random.hpp"
#include "src/core/views.hpp"

#include <cstdint>

namespace bcr::kernels {

/// One standard normal number by Box and Muller: sqrt(-2 log u) cos(2 pi v), u in (0, 1], v in [0, 1), from four words.
/// In double, with the strict functions: the same bits everywhere. Finite: u >= 2^-53.
KOKKOS_INLINE_FUNCTION double draw_normal(Random& random) {
  const double radius = Kokkos::sqrt(-2 * strict::log(random.uniform_above_zero<double>()));
  const double turn = 2 * random.uniform<double>();
  // cos_pi wants [0, 1]: cos(pi (2 - t)) = cos(pi t), and 2 - t is exact for 1 <= t < 2 (Sterbenz).
  return radius * strict::cos_pi(turn <= 1 ? turn : 2 - turn);
}

/// dst(i) = deviation * normal number of (seed, stream, i), computed in double and rounded once to T.
/// Asynchronous on exec; the same bits everywhere.
template <class Exec, class T>
void fill_normal(const Exec& exec, std::uint64_t seed, Stream stream, double deviation, Vector<T, Exec> dst);

/// dst(i) uniform in [-half_width, half_width), from 53 random bits of (seed, stream, i), rounded once to T.
template <class Exec, class T>
void fill_uniform(const Exec& exec, std::uint64_t seed, Stream stream, double half_width, Vector<T, Exec> dst);

}  // namespace bcr::kernels

#endif
