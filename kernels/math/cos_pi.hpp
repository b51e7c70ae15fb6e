#ifndef BCR_KERNELS_MATH_COS_PI_HPP
#define BCR_KERNELS_MATH_COS_PI_HPP

#include "kernels/math/format.hpp"

namespace bcr::kernels::strict {

namespace impl {

/// cos(pi r), |r| <= 1/4: the Taylor series in r^2; the first term left out is below 2^-58.
KOKKOS_INLINE_FUNCTION double cos_pi_quarter(const double r) {
  const double z = r * r;
  const double tail =
      polynomial(z, 0x1.03c1f081b5ac4p+2, -0x1.55d3c7e3cbffap+0, 0x1.e1f506891babbp-3, -0x1.a6d1f2a204a8cp-6,
                 0x1.f9d38a3763cc3p-10, -0x1.b6e24f44b128fp-14, 0x1.20c62c2f2d7f5p-18);
  return Kokkos::fma(z, Kokkos::fma(z, tail, -0x1.3bd3cc9be45dep+2), 1.0);
}

/// sin(pi r), |r| <= 1/4. The leading pi is split in two, so that the relative error stays small for small r.
KOKKOS_INLINE_FUNCTION double sin_pi_quarter(const double r) {
  const double z = r * r;
  const double tail =
      polynomial(z, -0x1.4abbce625be53p+2, 0x1.466bc6775aae2p+1, -0x1.32d2cce62bd86p-1, 0x1.50783487ee782p-4,
                 -0x1.e3074fde8871fp-8, 0x1.e8f434d018d63p-12, -0x1.6fadb9f155744p-16, 0x1.aaec32af93359p-21);
  constexpr double pi_high = 0x1.921fb54442d18p+1;
  constexpr double pi_low = 0x1.1a62633145c07p-53;
  return Kokkos::fma(r, pi_high, r * Kokkos::fma(z, tail, pi_low));
}

}  // namespace impl

/// cos(pi x) for 0 <= x <= 1, the whole of a cosine schedule; exact at 0, 1/2 and 1. Elsewhere within 1.1 ulp, and
/// cos_pi(1 - x) = -cos_pi(x) to the last bit.
/// The arguments 1/2 - x and 1 - x of the pieces are exact (Sterbenz) or lie below 1/4.
KOKKOS_INLINE_FUNCTION double cos_pi(const double x) {
  if (x < 0.25) return impl::cos_pi_quarter(x);
  if (x <= 0.75) return impl::sin_pi_quarter(0.5 - x);
  return -impl::cos_pi_quarter(1.0 - x);
}

}  // namespace bcr::kernels::strict

#endif
