#include "src/core/config/nearest_key.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace bcr {
namespace {

std::string_view last_part(const std::string_view key) {
  const std::size_t dot = key.rfind('.');
  return dot == std::string_view::npos ? key : key.substr(dot + 1);
}

}  // namespace

std::size_t edit_distance(const std::string_view from, const std::string_view to) {
  // d(i, j) needs the two rows above: previous for the three edits, before for the swap.
  std::vector<std::size_t> before(to.size() + 1), previous(to.size() + 1), current(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t substituted = previous[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substituted});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    before.swap(previous);
    previous.swap(current);
  }
  return previous[to.size()];
}

std::string nearest_key(const std::string_view key, const std::span<const std::string> known) {
  std::string nearest;
  std::size_t smallest = std::numeric_limits<std::size_t>::max();
  for (const std::string& candidate : known) {
    const std::size_t elsewhere = edit_distance(last_part(key), last_part(candidate)) + 1;
    const std::size_t distance = std::min(edit_distance(key, candidate), elsewhere);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace bcr
