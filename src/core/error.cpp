#include "src/core/error.hpp"

#include <fmt/format.h>

namespace bcr {

Error::Error(const std::string_view operation, const std::string_view expected, const std::string_view received,
             const Where where)
    : std::runtime_error(fmt::format("[{}] expected {}, received {}", operation, expected, received)),
      operation_(operation),
      expected_(expected),
      received_(received),
      where_(where) {}

}  // namespace bcr
