#ifndef BCR_KERNELS_MATH_FORMAT_HPP
#define BCR_KERNELS_MATH_FORMAT_HPP

#include <Kokkos_BitManipulation.hpp>
#include <Kokkos_Core.hpp>

#include <cstdint>

namespace bcr::kernels::strict::impl {

/// The layout of an IEEE 754 binary format and the numbers that only depend on it.
template <class T>
struct Format;

template <>
struct Format<double> {
  using Bits = std::uint64_t;
  static constexpr int fraction_bits = 52;
  static constexpr Bits bias = 1023;
  static constexpr Bits infinity = 0x7ff0000000000000u;
  static constexpr Bits quiet_nan = 0x7ff8000000000000u;
  /// 1.5 * 2^52 + bias: adding it rounds to an integer n and leaves n + bias in the lowest bits of the sum.
  static constexpr double shifter = 0x1.8p52 + 1023;
  static constexpr double tiny = 0x1p-54;  ///< 1 + tiny rounds to 1
  static constexpr double huge = 0x1p60;   ///< huge + 1 rounds to huge
};

template <>
struct Format<float> {
  using Bits = std::uint32_t;
  static constexpr int fraction_bits = 23;
  static constexpr Bits bias = 127;
  static constexpr Bits infinity = 0x7f800000u;
  static constexpr Bits quiet_nan = 0x7fc00000u;
  static constexpr float shifter = 0x1.8p23f + 127;
  static constexpr float tiny = 0x1p-25f;
  static constexpr float huge = 0x1p30f;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION typename Format<T>::Bits bits_of(const T x) {
  return Kokkos::bit_cast<typename Format<T>::Bits>(x);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T from_bits(const typename Format<T>::Bits bits) {
  return Kokkos::bit_cast<T>(bits);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T infinity() {
  return from_bits<T>(Format<T>::infinity);
}

/// One NaN for all: sign and payload of a computed NaN differ between devices.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T quiet_nan() {
  return from_bits<T>(Format<T>::quiet_nan);
}

/// |x| by clearing the sign.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T magnitude(const T x) {
  return from_bits<T>(bits_of(x) & ~(typename Format<T>::Bits{1} << (sizeof(T) * 8 - 1)));
}

/// 2^n for `shifted` = n + shifter and 2^n a normal number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T power_of_two(const T shifted) {
  return from_bits<T>(bits_of(shifted) << Format<T>::fraction_bits);
}

/// c0 + x (c1 + x (c2 + ...)) by fused Horner steps.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(const T, const T c0) {
  return c0;
}

template <class T, class... Coefficients>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(const T x, const T c0, const Coefficients... higher) {
  return Kokkos::fma(x, polynomial(x, higher...), c0);
}

}  // namespace bcr::kernels::strict::impl

#endif
