#include "src/core/views.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bcr {

std::string shape_text(const std::span<const std::size_t> extents) {
  return fmt::format("[{}]", fmt::join(extents, ", "));
}

}  // namespace bcr
