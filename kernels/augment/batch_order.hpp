#ifndef BCR_KERNELS_AUGMENT_BATCH_ORDER_HPP
#define BCR_KERNELS_AUGMENT_BATCH_ORDER_HPP

#include "src/core/random.hpp"

namespace bcr::kernels {

/// One image as it is drawn: its row in the set, and in which pass over the set.
struct Sample {
  std::uint32_t row;
  std::uint32_t pass;
};

enum class Shuffle { none, every_pass };

/// The endless sequence in which a set of `size` > 0 images is visited: pass after pass, each image once in a pass, in
/// a new random order each time. Position p stands in pass p / size; what stands there is a function of
/// (seed, stream, p) alone, on host and device alike.
struct BatchOrder {
  std::uint64_t size;
  std::uint64_t seed;
  Stream stream;
  Shuffle shuffle;

  KOKKOS_INLINE_FUNCTION Sample operator()(const std::uint64_t position) const {
    const std::uint32_t pass = static_cast<std::uint32_t>(position / size);
    const std::uint64_t place = position % size;
    if (shuffle == Shuffle::none) return {static_cast<std::uint32_t>(place), pass};
    return {static_cast<std::uint32_t>(Permutation(size, seed, stream, pass)(place)), pass};
  }
};

}  // namespace bcr::kernels

#endif
