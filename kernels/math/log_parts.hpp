#ifndef BCR_KERNELS_MATH_LOG_PARTS_HPP
#define BCR_KERNELS_MATH_LOG_PARTS_HPP

#include "kernels/math/exact.hpp"
#include "kernels/math/format.hpp"

namespace bcr::kernels::strict::impl {

template <class T>
struct LogConstants;

template <>
struct LogConstants<double> {
  static constexpr double ln2_high = 0x1.62e42fefa3p-1;  ///< 41 bits: the product with an exponent is exact
  static constexpr double ln2_low = 0x1.3de6af278ece6p-42;
  static constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcdu;
  static constexpr double smallest_normal = 0x1p-1022;
  static constexpr double lift = 0x1p54;  ///< makes every subnormal number normal
  static constexpr double lift_exponent = 54;
};

template <>
struct LogConstants<float> {
  static constexpr float ln2_high = 0x1.62e4p-1f;  ///< 15 bits
  static constexpr float ln2_low = 0x1.7f7d1cp-20f;
  static constexpr std::uint32_t sqrt_half = 0x3f3504f3u;
  static constexpr float smallest_normal = 0x1p-126f;
  static constexpr float lift = 0x1p25f;
  static constexpr float lift_exponent = 25;
};

/// x = 2^exponent mantissa with mantissa in [sqrt(1/2), sqrt(2)), for positive normal x.
template <class T>
struct Split {
  T exponent;
  T mantissa;
};

/// lifted: x was multiplied by 2^lifted before.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Split<T> split(const T x, const T lifted) {
  using Bits = typename Format<T>::Bits;
  constexpr Bits one = Format<T>::bias << Format<T>::fraction_bits;
  constexpr Bits fraction = (Bits{1} << Format<T>::fraction_bits) - 1;
  constexpr Bits integer_exponent = (Format<T>::bias + Format<T>::fraction_bits) << Format<T>::fraction_bits;
  constexpr T integer_offset = T(Bits{1} << Format<T>::fraction_bits) + T(Format<T>::bias);
  // Counted from sqrt(1/2) upwards, the exponent field changes where the mantissa leaves its interval.
  const Bits counted = bits_of(x) + (one - LogConstants<T>::sqrt_half);
  const T integer = from_bits<T>((counted >> Format<T>::fraction_bits) | integer_exponent);
  return {integer - (integer_offset + lifted), from_bits<T>((counted & fraction) + LogConstants<T>::sqrt_half)};
}

/// R(z) / z of log((1 + s) / (1 - s)) = 2 s + s R(s^2) for |s| <= (sqrt(2) - 1) / (sqrt(2) + 1).
KOKKOS_FORCEINLINE_FUNCTION double log_remainder(const double z) {
  const double z2 = z * z;
  const double c01 = Kokkos::fma(z, 0x1.999999997fee8p-2, 0x1.5555555555592p-1);
  const double c23 = Kokkos::fma(z, 0x1.c71c520f7aaecp-3, 0x1.24924941e5df3p-2);
  const double c45 = Kokkos::fma(z, 0x1.39a1c581a1c1fp-3, 0x1.74663e1e697c9p-3);
  const double c456 = Kokkos::fma(z2, 0x1.2f054729914b9p-3, c45);
  return Kokkos::fma(z2, Kokkos::fma(z2, c456, c23), c01);
}

KOKKOS_FORCEINLINE_FUNCTION float log_remainder(const float z) {
  const float c01 = Kokkos::fma(z, 0x1.999c26p-2f, 0x1.555554p-1f);
  const float c23 = Kokkos::fma(z, 0x1.f13b38p-3f, 0x1.23d3ep-2f);
  return Kokkos::fma(z * z, c23, c01);
}

/// exponent ln(2) + log(1 + f) + low, for 1 + f in [sqrt(1/2), sqrt(2)) and low below one ulp of the result.
/// log(1 + f) = f - f^2/2 + s (f^2/2 + R(s^2)), s = f / (2 + f); the two leading terms keep their rounding errors.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log_sum(const T exponent, const T f, const T low) {
  using Constants = LogConstants<T>;
  const T s = f / (T(2) + f);
  const T z = s * s;
  // head + head_low = f - f^2/2, where f - head is exact because head lies between f/2 and 2 f.
  const T half = T(0.5) * f;
  const T head = Kokkos::fma(-half, f, f);
  const T head_low = Kokkos::fma(-half, f, f - head);
  // sum + sum_low = exponent ln2_high + head: Dekker's sum with an exact product as the larger addend.
  const T sum = Kokkos::fma(exponent, Constants::ln2_high, head);
  const T sum_low = head - Kokkos::fma(-exponent, Constants::ln2_high, sum);
  const T lost = sum_low + (Kokkos::fma(exponent, Constants::ln2_low, head_low) + low);
  const T square = half * f;
  return sum + Kokkos::fma(s, Kokkos::fma(z, log_remainder(z), square), lost);
}

}  // namespace bcr::kernels::strict::impl

#endif
