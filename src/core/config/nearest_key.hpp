#ifndef BCR_SRC_CORE_CONFIG_NEAREST_KEY_HPP
#define BCR_SRC_CORE_CONFIG_NEAREST_KEY_HPP

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace bcr {

/// The fewest insertions, deletions, substitutions and swaps of neighbours that turn one word into the other, where no
/// letter is edited twice (the optimal string alignment distance).
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The known dotted key that `key` most likely meant; the first of equals, empty if none is known. A key that is right
/// but stands in a wrong section costs one edit only, so `lr` finds `train.lr`.
std::string nearest_key(std::string_view key, std::span<const std::string> known);

}  // namespace bcr

#endif
