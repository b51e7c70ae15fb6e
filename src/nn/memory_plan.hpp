#ifndef BCR_SRC_NN_MEMORY_PLAN_HPP
#define BCR_SRC_NN_MEMORY_PLAN_HPP

#include <cstddef>
#include <span>
#include <vector>

namespace bcr::nn {

/// A buffer that must keep its contents from event `first` to event `last`, both included.
struct Lifetime {
  int first = 0;
  int last = 0;
  std::size_t size = 0;
};

struct MemoryPlan {
  std::vector<std::size_t> offsets;  ///< of each buffer
  std::size_t size = 0;              ///< of the arena
};

/// Places buffers in one arena such that those which live at the same time do not overlap. Largest first, each at the
/// lowest offset where it fits: a function of the lifetimes alone. Sizes are rounded up to multiples of `alignment`.
MemoryPlan place_buffers(std::span<const Lifetime> lifetimes, std::size_t alignment);

/// The most that is alive at one event: no plan can be smaller.
std::size_t peak_size(std::span<const Lifetime> lifetimes, std::size_t alignment);

}  // namespace bcr::nn

#endif
