#ifndef BCR_KERNELS_GAMMA_GAMMA_POLYNOMIALS_HPP
#define BCR_KERNELS_GAMMA_GAMMA_POLYNOMIALS_HPP

// Written by scripts/make_gamma_polynomials.py: change that, not this.
#include "kernels/math/format.hpp"

namespace bcr::kernels::impl {

/// R(z) of log(1 + f) = 2 s + s^3 R(s^2), s = f / (2 + f), for 1 + f from sqrt(1/2) to sqrt(2).
KOKKOS_FORCEINLINE_FUNCTION double log_remainder(const double z) {
  const double z2 = z * z;
  const double even = strict::impl::polynomial(z2, 0x1.5555555555558p-1, 0x1.2492492df148dp-2, 0x1.7462b4ab2ef6bp-3,
                                               0x1.2b584aae78a57p-3);
  const double odd = strict::impl::polynomial(z2, 0x1.99999999952e2p-2, 0x1.c71c62e5800a1p-3, 0x1.39fe606542ddep-3);
  return Kokkos::fma(z, odd, even);
}

/// q(r) of e^r = 1 + r + r^2 q(r) for |r| <= log(2) / 2; r2 = r^2.
KOKKOS_FORCEINLINE_FUNCTION double exp_remainder(const double r, const double r2) {
  const double even = strict::impl::polynomial(r2, 0x1.0000000000001p-1, 0x1.5555555553d68p-5, 0x1.6c16c17889ef1p-10,
                                               0x1.a019b9149a41cp-16, 0x1.28917c89a43a7p-22);
  const double odd = strict::impl::polynomial(r2, 0x1.5555555555556p-3, 0x1.11111111109b5p-7, 0x1.a01a01a7c2efep-13,
                                              0x1.71de0db2f6b19p-19, 0x1.af389ecfc4b9cp-26);
  return Kokkos::fma(r, odd, even);
}

/// log Gamma(1 + a) for 0 <= a <= 1, right to the last digits relative to a.
KOKKOS_FORCEINLINE_FUNCTION double log_gamma_1p(const double a) {
  const double t = Kokkos::fma(2.0, a, -1.0);
  return a * strict::impl::polynomial(
                 t, -0x1.eeb95b094c191p-3, 0x1.1cba4e3820cdap-2, -0x1.6b58de447ab04p-5, 0x1.41ce0cb1ce180p-7,
                 -0x1.4547b1118c4acp-9, 0x1.606b19d7b367dp-11, -0x1.8e17f3a93ddadp-13, 0x1.ce313acff7c02p-15,
                 -0x1.1184400a11602p-16, 0x1.485a01731fd00p-18, -0x1.8e81467b29083p-20, 0x1.e7db601611aebp-22,
                 -0x1.2cbf3e38c887cp-23, 0x1.75132c6c9f711p-25, -0x1.d10ae49ecd3adp-27, 0x1.221703d6434b3p-28,
                 -0x1.6c87347440465p-30, 0x1.ddb5263506cdfp-32, -0x1.2e39088bdb358p-33, 0x1.19cb396fe594bp-35,
                 -0x1.652b12f5851c3p-37, 0x1.1409c22035bf5p-37, -0x1.611972e16de33p-39);
}

/// log Gamma(a) - ((a - 1/2) log a - a + log(2 pi) / 2) for a >= 1: 1/(12 a) - 1/(360 a^3) + ...
KOKKOS_FORCEINLINE_FUNCTION double stirling_correction(const double a) {
  const double t = 4.0 / (a + 1.0) - 1.0;
  const double scaled = strict::impl::polynomial(
      t, 0x1.541b39cea2086p-4, -0x1.96fbd7377b2e6p-11, -0x1.7984c0b0ad0e6p-11, -0x1.5833168c4677fp-12,
      -0x1.c5f370b9d73c2p-14, -0x1.ea15d12510852p-16, -0x1.f5523410ad5fcp-18, -0x1.11b259fa0ff80p-19,
      -0x1.318ee1bc4e748p-21, -0x1.4c19d4272ba48p-23, -0x1.784fbb0c1b716p-25, -0x1.b569e86d1c653p-27,
      -0x1.ea5118c100cf6p-29, -0x1.21241ee28177ap-30, -0x1.595a07991beacp-32, -0x1.8b6998ba29533p-34,
      -0x1.f297cdf1b51a6p-36, -0x1.f73d7b19fe531p-38, -0x1.05475672bdca9p-39, -0x1.6029d459bd92ap-40,
      -0x1.b50a5d68ff77cp-42);
  return scaled / a;
}

/// Mills' ratio exp(z^2/2) int_z^inf exp(-t^2/2) dt of the normal law for z >= 0.
/// (z + 5) m(z) is smooth in 1/(z + 5), up to z = inf (Shepherd and Laframboise, Math. Comp. 36, 1981).
KOKKOS_FORCEINLINE_FUNCTION double mills_ratio(const double z) {
  const double w = z + 5.0;
  const double t = 10.0 / w - 1.0;
  const double scaled = strict::impl::polynomial(
      t, 0x1.ed96b8318f6c5p+0, 0x1.aaf94e206d6dap+0, 0x1.3dd60739e7975p+0, 0x1.9262efbe12bc7p-1, 0x1.a7927af8f0d26p-2,
      0x1.62d360c640a50p-3, 0x1.ab031a04b2213p-5, 0x1.ebbc325397b02p-8, -0x1.06239685856c1p-9, -0x1.660d41af3182cp-10,
      -0x1.382025ae0fd77p-13, 0x1.0596f187ce7c6p-13, 0x1.5ec44aeb9b8f8p-15, -0x1.4eb2946757e9ep-17,
      -0x1.d215aa38e9133p-18, 0x1.c0d8bc8470e09p-21, 0x1.25a654d0a47cfp-20, -0x1.9f22229114dcdp-24,
      -0x1.7b710ff07cea9p-23, 0x1.2a8e0154c540ep-26, 0x1.e729f94f7618fp-26, -0x1.b4e7dfa4a6b25p-29,
      -0x1.0cff6ee7d692bp-28, 0x1.6d5f5bb74c680p-32, 0x1.64854c5ca97c1p-32);
  return scaled / w;
}

/// sum_k c_k(eta) / a^k of Temme's uniform expansion (DLMF 8.12.7-10) for a >= 1000 and |sigma| <= 1/4.
KOKKOS_FORCEINLINE_FUNCTION double temme_sum(const double eta, const double inverse_a) {
  const double c0 = strict::impl::polynomial(eta, -0x1.5555555555555p-2, 0x1.5555555555555p-4, -0x1.e573ac901e574p-7,
                                             0x1.2f684bda12f68p-10, 0x1.71de3a556c734p-12, -0x1.76e06fec7273bp-13,
                                             0x1.48c5892f7cd83p-15, -0x1.255370652afc1p-19, -0x1.f1b22f594c6b5p-20,
                                             0x1.bd6d21e4b4109p-21, -0x1.7b5f9a2d0465cp-23, 0x1.ccf5ceb7f0d9fp-28,
                                             0x1.6097d55c37c1cp-27, -0x1.2d2197c7a2faap-28, 0x1.f6e66d24d5c8ap-31);
  const double c1 = strict::impl::polynomial(eta, -0x1.e573ac901e574p-10, -0x1.c71c71c71c71cp-9, 0x1.5ac056b015ac0p-9,
                                             -0x1.0394f6f09e723p-10, 0x1.af83440e53dbcp-13, -0x1.af83440e53dbcp-22,
                                             -0x1.2fa4ae89e5af0p-16, 0x1.00a9cabd6b83ep-17, -0x1.b0bdfcc629cbap-20,
                                             0x1.3f59230a8357cp-28, 0x1.280f2cde3f847p-23);
  const double c2 = strict::impl::polynomial(eta, 0x1.0ee643b990ee6p-8, -0x1.5f7268edab4c8p-9, 0x1.948b0fcd6e9e0p-11,
                                             0x1.0db20a88f4696p-19, -0x1.c253efaa1a932p-14, 0x1.bbf43daf4fe53p-15,
                                             -0x1.ac2d05890f2c3p-17, 0x1.26154ae39151dp-25);
  const double c3 = strict::impl::polynomial(eta, 0x1.547d93b34e2b6p-11, 0x1.e13ce465fa859p-13, -0x1.ebfb188b7ca00p-12,
                                             0x1.18b9b5bf2d984p-12, -0x1.3d2a3a29b5d9dp-14);
  const double c4 =
      strict::impl::polynomial(eta, -0x1.c3e0b02da7bf9p-11, 0x1.9b0ff6874f2c4p-11, -0x1.3999a85a4237ap-12);
  return strict::impl::polynomial(inverse_a, c0, c1, c2, c3, c4);
}

}  // namespace bcr::kernels::impl

#endif
