#ifndef BCR_TESTS_PTX_UNIT_NAMES_HPP
#define BCR_TESTS_PTX_UNIT_NAMES_HPP

#include <string>

namespace bcr::test::ptx {

/// nvcc names the anonymous namespace of a source after the source and, for some, after its own process:
/// "44_GLOBAL__N__7b87ee83_7_map_cpp_b6eb578e_7163". An object and the PTX of the same source come of two processes, so
/// the last number is taken out of every such name in a text, and the length in front of it adjusted.
std::string without_process_numbers(const std::string& text);

}  // namespace bcr::test::ptx

#endif
