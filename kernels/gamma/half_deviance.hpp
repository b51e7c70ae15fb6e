#ifndef BCR_KERNELS_GAMMA_HALF_DEVIANCE_HPP
#define BCR_KERNELS_GAMMA_HALF_DEVIANCE_HPP

#include "kernels/gamma/gamma_polynomials.hpp"
#include "kernels/gamma/mantissa.hpp"

namespace bcr::kernels::impl {

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

}  // namespace bcr::kernels::impl

#endif
