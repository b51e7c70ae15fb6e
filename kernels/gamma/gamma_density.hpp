#ifndef BCR_KERNELS_GAMMA_GAMMA_DENSITY_HPP
#define BCR_KERNELS_GAMMA_GAMMA_DENSITY_HPP

#include "kernels/gamma/gamma_polynomials.hpp"
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

/// phi = sigma - log(1 + sigma) with sigma = x/a - 1, half the unit deviance of the gamma law: its density is
/// x^(a-1) e^-x / Gamma(a) = exp(-a phi) sqrt(a / 2 pi) / (x Gamma*(a)), Gamma* the ratio of Gamma to Stirling's
/// formula.
///
/// Right to a few ulp of phi itself, down to phi = 0 at x = a: sigma is formed from the rounded quotient and its exact
/// remainder, x/a = 2^k (1 + f) with 1 + f in [sqrt(1/2), sqrt(2)), and with s = f / (2 + f)
///   phi = (sigma - f - k log 2) + (f - log(1 + f)),   f - log(1 + f) = s (f - s^2 R(s^2)),
/// where log(1 + f) = 2 s + s^3 R(s^2); the first bracket is exactly 0 for k = 0.
/// x/a must lie between 2^-1021 and 2^1021; inverse_a is 1/a, rounded.
KOKKOS_FORCEINLINE_FUNCTION double half_deviance(const double x, const double a, const double inverse_a) {
  const double quotient = Kokkos::fma(x, inverse_a, 0.0);  // fused, so that no compiler fuses it with what follows
  const double quotient_low = Kokkos::fma(-quotient, a, x) * inverse_a;
  const Mantissa mantissa = mantissa_of(quotient);
  const double k = mantissa.exponent;
  const double unscale = inverse_power_of_two(k);
  const double f = Kokkos::fma(quotient_low, unscale, mantissa.value - 1.0);
  const double s = f / (2.0 + f);
  const double z = s * s;
  const double whole = (quotient - mantissa.value) + Kokkos::fma(-quotient_low, unscale, quotient_low);
  const double far = Kokkos::fma(-k, log_two_low, Kokkos::fma(-k, log_two_high, whole));
  return Kokkos::fma(s, Kokkos::fma(-z, log_remainder(z), f), far);
}

/// factor e^y for y < 700, to about one ulp; gradual underflow, and 0 below y = -800. The factor joins before the last
/// rounding and there is no overflow to guard, which makes it a quarter faster than strict::exp and a product.
KOKKOS_FORCEINLINE_FUNCTION double scaled_exp(const double factor, const double y) {
  constexpr double inverse_log_two = 0x1.71547652b82fep+0;
  constexpr double shifter = 0x1.8p52 + 2046.0;  // rounds to an integer and leaves n + 2 * 1023 in the lowest bits
  const double limited = y < -800.0 ? -800.0 : y;
  const double shifted = Kokkos::fma(limited, inverse_log_two, shifter);
  const double n = shifted - shifter;
  const double r = Kokkos::fma(-n, log_two_low, Kokkos::fma(-n, log_two_high, limited));
  const double r2 = Kokkos::fma(r, r, 0.0);
  const double grown = Kokkos::fma(factor, Kokkos::fma(r2, exp_remainder(r, r2), r), factor);
  // 2^n in two halves, so that a result below the normal numbers does not meet a power of two that is not one itself.
  const std::uint64_t biased = strict::impl::bits_of(shifted);
  const std::uint64_t half = biased >> 1;
  const double first = strict::impl::from_bits<double>(half << 52);
  const double second = strict::impl::from_bits<double>((biased - half) << 52);
  return grown * first * second;
}

}  // namespace bcr::kernels::impl

#endif
