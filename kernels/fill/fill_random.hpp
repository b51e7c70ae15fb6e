#ifndef BCR_KERNELS_FILL_FILL_RANDOM_HPP
#define BCR_KERNELS_FILL_FILL_RANDOM_HPP

#include "src/core/random.hpp"
#include "src/core/views.hpp"

#include <cstdint>

namespace bcr::kernels {

/// dst(i) = deviation * normal number of (seed, stream, i), computed in double and rounded once to T.
/// Asynchronous on exec; the same bits everywhere.
template <class Exec, class T>
void fill_normal(const Exec& exec, std::uint64_t seed, Stream stream, double deviation, Vector<T, Exec> dst);

/// dst(i) uniform in [-half_width, half_width), from 53 random bits of (seed, stream, i), rounded once to T.
template <class Exec, class T>
void fill_uniform(const Exec& exec, std::uint64_t seed, Stream stream, double half_width, Vector<T, Exec> dst);

}  // namespace bcr::kernels

#endif
