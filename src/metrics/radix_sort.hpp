#ifndef BCR_SRC_METRICS_RADIX_SORT_HPP
#define BCR_SRC_METRICS_RADIX_SORT_HPP

#include <cstdint>
#include <span>

namespace bcr::metrics {

/// Sorts `words` in ascending order on the host's threads; `scratch` has the same length and is overwritten.
/// Large pieces are split by their highest differing bits on all threads at once, until they fit a core's cache; there
/// they are finished by a least-significant-digit sort. Values that crowd into few buckets are split again, so the cost
/// does not depend on how they are distributed. Integers only: the result is the same for every number of threads.
/// Traffic: 4 N sizeof(word) per split, one split for up to about 100 million evenly spread values.
void radix_sort(std::span<std::uint64_t> words, std::span<std::uint64_t> scratch);

}  // namespace bcr::metrics

#endif
