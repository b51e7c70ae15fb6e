#ifndef BCR_SRC_CORE_JSON_DEPTH_HPP
#define BCR_SRC_CORE_JSON_DEPTH_HPP

#include <cstddef>
#include <string_view>

namespace bcr {

/// Deeper than anything that our programs write. Who walks a tree of any depth by calls runs out of stack: a file of a
/// hundred thousand brackets would end the program.
inline constexpr std::size_t deepest_json = 64;

/// Whether a JSON text has objects and lists within each other, more than deepest_json of them. To be asked before it
/// is parsed; a text that is no JSON may get any answer.
bool is_too_deep(std::string_view json);

}  // namespace bcr

#endif
