#ifndef BCR_SRC_CORE_CONTEXT_HPP
#define BCR_SRC_CORE_CONTEXT_HPP

#include "src/core/log.hpp"
#include "src/core/random.hpp"

#include <cstdint>

namespace bcr {

/// What a computation needs from its surroundings, passed down instead of kept in globals: where it runs, the seed of
/// all its random numbers, and whom it tells. Cheap to copy; lives on the host, between Kokkos initialize and finalize.
template <class Exec>
struct Context {
  using exec_space = Exec;

  Exec exec{};
  std::uint64_t seed = 0;
  Log log{};

  /// The numbers of one sample of one stream (src/core/random.hpp).
  Random random(const Stream stream, const std::uint32_t epoch, const std::uint64_t index) const {
    return Random(seed, stream, epoch, index);
  }

  /// The order in which an epoch visits `size` samples.
  Permutation permutation(const std::uint64_t size, const Stream stream, const std::uint32_t epoch) const {
    return Permutation(size, seed, stream, epoch);
  }
};

}  // namespace bcr

#endif
