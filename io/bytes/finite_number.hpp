#ifndef BCR_IO_BYTES_FINITE_NUMBER_HPP
#define BCR_IO_BYTES_FINITE_NUMBER_HPP

#include <bit>
#include <concepts>
#include <cstdint>

namespace bcr::io {

/// False for NaN and infinity. Looks at the bits: comparing a NaN from a file would raise a floating-point exception,
/// which test programs and careful users trap.
template <std::floating_point T>
constexpr bool is_finite_number(const T value) {
  if constexpr (sizeof(T) == 4) {
    return (std::bit_cast<std::uint32_t>(value) >> 23 & 0xffU) != 0xffU;
  } else {
    return (std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ffU) != 0x7ffU;
  }
}

}  // namespace bcr::io

#endif
