#ifndef BCR_SRC_CORE_FINITE_HPP
#define BCR_SRC_CORE_FINITE_HPP

#include <bit>
#include <cstdint>

namespace bcr {

/// Neither infinite nor NaN, by the bits: std::isfinite may compile to a comparison that raises "invalid" for a NaN.
constexpr bool is_finite(const double x) {
  constexpr std::uint64_t infinity = std::uint64_t{0x7ff} << 52;
  return (std::bit_cast<std::uint64_t>(x) & infinity) != infinity;
}

constexpr bool is_finite(const float x) {
  constexpr std::uint32_t infinity = std::uint32_t{0xff} << 23;
  return (std::bit_cast<std::uint32_t>(x) & infinity) != infinity;
}

}  // namespace bcr

#endif
