#ifndef BCR_SRC_NN_BACKENDS_ALGORITHM_CHOICE_HPP
#define BCR_SRC_NN_BACKENDS_ALGORITHM_CHOICE_HPP

#include "src/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace bcr::nn {

/// What a library of convolutions is told to use for one direction, and the memory it takes.
template <class Algorithm>
struct AlgorithmChoice {
  Algorithm algorithm{};
  std::size_t bytes = 0;
};

/// Of a library's list (members algo and memory), quickest first: the first usable one that does with `most_bytes`, or,
/// if none does, the one that takes least. Throws a BackendError if none is usable.
template <class Entry, class Usable>
auto choose_algorithm(const std::span<Entry> list, const Usable& usable, const std::size_t most_bytes,
                      const std::string& operation) {
  const Entry* least = nullptr;
  for (const Entry& entry : list) {
    if (!usable(entry)) continue;
    if (least == nullptr || entry.memory < least->memory) least = &entry;
    if (entry.memory > most_bytes) continue;
    least = &entry;
    break;
  }
  if (least == nullptr) throw BackendError(operation, "a deterministic algorithm", "none");
  return AlgorithmChoice<std::remove_cvref_t<decltype(least->algo)>>{least->algo, least->memory};
}

/// The first address from `from` on that is a multiple of `alignment`.
inline void* aligned(void* const from, const std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  return reinterpret_cast<void*>((address + alignment - 1) / alignment * alignment);
}

}  // namespace bcr::nn

#endif
