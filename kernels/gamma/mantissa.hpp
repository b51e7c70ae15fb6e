#ifndef BCR_KERNELS_GAMMA_MANTISSA_HPP
#define BCR_KERNELS_GAMMA_MANTISSA_HPP

#include "kernels/math/format.hpp"

#include <cstdint>

namespace bcr::kernels::impl {

inline constexpr double log_two_high = 0x1.62e42fefa3p-1;  ///< 41 bits: the product with an exponent is exact
inline constexpr double log_two_low = 0x1.3de6af278ece6p-42;

/// x = 2^exponent value with value in [sqrt(1/2), sqrt(2)), for a positive normal x.
struct Mantissa {
  double exponent;
  double value;
};

KOKKOS_FORCEINLINE_FUNCTION Mantissa mantissa_of(const double x) {
  constexpr std::uint64_t one = 0x3ff0000000000000u;
  constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdu;
  constexpr std::uint64_t fraction = 0x000fffffffffffffu;
  constexpr std::uint64_t two_to_52 = 0x4330000000000000u;
  // Counted from sqrt(1/2) upwards, the exponent field changes where the mantissa leaves its interval. As the last bits
  // of 2^52 the field becomes a double without a conversion from integers, which few CPUs have for vectors.
  const std::uint64_t counted = strict::impl::bits_of(x) + (one - sqrt_half);
  const double biased = strict::impl::from_bits<double>((counted >> 52) | two_to_52);
  return {biased - (0x1p52 + 1023.0), strict::impl::from_bits<double>((counted & fraction) + sqrt_half)};
}

/// 2^-exponent for |exponent| <= 1022.
KOKKOS_FORCEINLINE_FUNCTION double inverse_power_of_two(const double exponent) {
  const double shifted = (0x1.8p52 + 1023.0) - exponent;  // 1023 - exponent in the lowest bits
  return strict::impl::from_bits<double>(strict::impl::bits_of(shifted) << 52);
}

}  // namespace bcr::kernels::impl

#endif
