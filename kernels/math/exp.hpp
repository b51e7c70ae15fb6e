#ifndef BCR_KERNELS_MATH_EXP_HPP
#define BCR_KERNELS_MATH_EXP_HPP

#include "kernels/math/exact.hpp"
#include "kernels/math/format.hpp"

namespace bcr::kernels::strict {

namespace impl {

/// e^(x + low) = 2^n e^(head + rest) with an exact head, |head| <= ln(2)/2, and a tiny rest.
template <class T>
struct ReducedExponent {
  T shifted;  ///< n + ExpConstants<T>::shifter
  T n;
  T head;
  T rest;
};

template <class T>
struct ExpConstants;

template <>
struct ExpConstants<double> {
  static constexpr double shifter = Format<double>::shifter + 1023;  ///< twice the bias: one for each half of `scale`
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42fefa39efp-1;
  static constexpr double ln2_low = 0x1.abc9e3b39803fp-56;
  static constexpr double outside = 746;    ///< e^746 > 2^1024 and e^-746 < 2^-1075, which rounds to zero
  static constexpr double overflow = 710;   ///< e^710 > 2^1024
  static constexpr double minus_one = -40;  ///< e^-40 - 1 rounds to -1
};

template <>
struct ExpConstants<float> {
  static constexpr float shifter = Format<float>::shifter + 127;
  static constexpr float log2_e = 0x1.715476p+0f;
  static constexpr float ln2_high = 0x1.62e43p-1f;
  static constexpr float ln2_low = -0x1.05c61p-29f;
  static constexpr float outside = 105;
  static constexpr float overflow = 89;
  static constexpr float minus_one = -20;
};

/// (e^r - 1 - r - r^2/2) / r^3 for |r| <= ln(2)/2; r2 = r^2.
/// Even and odd powers apart: half the chain of dependent fmas.
KOKKOS_FORCEINLINE_FUNCTION double exp_cubic(const double r, const double r2) {
  const double even = polynomial(r2, 0x1.555555555555ap-3, 0x1.111111110f0d4p-7, 0x1.a01a01b2b78fap-13,
                                 0x1.71ddf0800907ap-19, 0x1.af6d1c995a13cp-26);
  const double odd =
      polynomial(r2, 0x1.5555555553adcp-5, 0x1.6c16c17a102fep-10, 0x1.a019b362311d4p-16, 0x1.2897a2ec5b6dp-22);
  return Kokkos::fma(r, odd, even);
}

KOKKOS_FORCEINLINE_FUNCTION float exp_cubic(const float r, const float r2) {
  const float even = polynomial(r2, 0x1.555556p-3f, 0x1.1110a4p-7f, 0x1.a1891ap-13f);
  const float odd = polynomial(r2, 0x1.5554f2p-5f, 0x1.6d40fcp-10f);
  return Kokkos::fma(r, odd, even);
}

/// For |x| <= `outside`; low is a correction below one ulp of x.
/// n ln2_high is a multiple of the last bit that x - n ln2_high can have, so the fused difference is exact.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION ReducedExponent<T> reduce_exponent(const T x, const T low) {
  using Constants = ExpConstants<T>;
  const T shifted = Kokkos::fma(x, Constants::log2_e, Constants::shifter);
  const T n = shifted - Constants::shifter;
  return {shifted, n, Kokkos::fma(n, -Constants::ln2_high, x), Kokkos::fma(n, -Constants::ln2_low, low)};
}

/// e^(head + rest) = high + low: the leading 1 + head is added with its rounding error.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> exp_of_reduced(const ReducedExponent<T>& reduced) {
  const T r = reduced.head + reduced.rest;
  const T r2 = r * r;
  const Pair<T> sum = ordered_sum(T(1), reduced.head);
  const T quadratic = Kokkos::fma(r, exp_cubic(r, r2), T(0.5));
  return {sum.high, Kokkos::fma(r2, quadratic, reduced.rest + sum.low)};
}

/// (high + low) 2^n in two exact halves, so that a result below the normal numbers is rounded once more and not twice.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T scale(const Pair<T>& value, const ReducedExponent<T>& reduced) {
  using Bits = typename Format<T>::Bits;
  constexpr int fraction_bits = Format<T>::fraction_bits;
  const Bits biased = bits_of(reduced.shifted);
  const Bits half = biased >> 1;
  const T first = from_bits<T>(half << fraction_bits);
  const T second = from_bits<T>((biased - half) << fraction_bits);
  return Kokkos::fma(value.low, first, value.high * first) * second;
}

/// Arguments beyond `outside` are brought back to it, so that the reduction of an infinity raises no invalid operation.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp(const T x) {
  constexpr T outside = ExpConstants<T>::outside;
  const T size = magnitude(x);
  const T signed_outside = from_bits<T>((bits_of(x) ^ bits_of(size)) | bits_of(outside));
  const ReducedExponent<T> reduced = reduce_exponent(size > outside ? signed_outside : x, T(0));
  const Pair<T> value = exp_of_reduced(reduced);
  const T result = scale(value, reduced);
  return x != x ? quiet_nan<T>() : result;
}

}  // namespace impl

/// e^x. Cody-Waite reduction to |r| <= ln(2)/2, minimax polynomial, the leading 1 + r added with its rounding error.
/// Within 0.7 ulp, 0.8 ulp below the normal numbers; inf, 0 and NaN where IEEE 754 wants them.
KOKKOS_FORCEINLINE_FUNCTION double exp(const double x) {
  return impl::exp(x);
}
KOKKOS_FORCEINLINE_FUNCTION float exp(const float x) {
  return impl::exp(x);
}

}  // namespace bcr::kernels::strict

#endif
