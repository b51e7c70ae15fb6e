#ifndef BCR_SRC_NN_MODE_HPP
#define BCR_SRC_NN_MODE_HPP

#include <array>
#include <string_view>
#include <utility>

namespace bcr::nn {

/// strict: the same bits on every backend, thread count, compiler and instruction set.
/// fast: convolutions by the library of the device's vendor where it is the quicker one; same algorithm, other rounding.
enum class Mode { strict, fast };

constexpr auto enum_names(Mode) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"strict"sv, Mode::strict}, std::pair{"fast"sv, Mode::fast}};
}

}  // namespace bcr::nn

#endif
