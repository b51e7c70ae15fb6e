#ifndef BCR_TESTS_PTX_VARIABLES_HPP
#define BCR_TESTS_PTX_VARIABLES_HPP

#include "tests/ptx/module.hpp"
#include "tests/ptx/tokens.hpp"

#include <optional>
#include <string_view>

namespace bcr::test::ptx {

/// The state space a directive such as ".shared" names.
std::optional<Space> space_of(std::string_view directive);

/// What follows the state space: alignment, type, name, extents, initial values; up to the mark after it.
Variable parse_variable(TokenReader& reader, Space space);

}  // namespace bcr::test::ptx

#endif
