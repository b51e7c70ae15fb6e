#ifndef BCR_KERNELS_MATH_SIGMOID_HPP
#define BCR_KERNELS_MATH_SIGMOID_HPP

#include "kernels/math/exp.hpp"

namespace bcr::kernels::strict {

namespace impl {

/// With e = 2^n m = e^-|x|: 1 / (1 + e) for x >= 0 and 2^n m / (1 + e) for x < 0, so that nothing overflows and a
/// result below the normal numbers is rounded once more and not twice. The sum keeps the rounding errors of e and of
/// itself: the plain formula would be off by 1.3 ulp.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sigmoid(const T x) {
  constexpr T outside = ExpConstants<T>::outside;
  const T size = magnitude(x);
  const ReducedExponent<T> reduced = reduce_exponent(size > outside ? -outside : -size, T(0));
  const Pair<T> terms = exp_of_reduced(reduced);
  const Pair<T> mantissa = ordered_sum(terms.high, terms.low);
  // Farther out e changes no bit of 1 + e, and its power of two may be no normal number.
  const bool weighs = size < -ExpConstants<T>::minus_one;
  const T power = weighs ? power_of_two(reduced.shifted - T(Format<T>::bias)) : T(0);
  const Pair<T> one_plus_e = ordered_sum(T(1), power * mantissa.high);
  const bool positive = x >= T(0);
  const Pair<T> numerator = positive ? Pair<T>{T(1), T(0)} : mantissa;
  const Pair<T> result =
      quotient(numerator, Pair<T>{one_plus_e.high, Kokkos::fma(power, mantissa.low, one_plus_e.low)});
  const T value = positive ? result.high + result.low : scale(result, reduced);
  return x != x ? quiet_nan<T>() : value;
}

}  // namespace impl

/// 1 / (1 + e^-x). Within 0.7 ulp, 0.8 ulp below the normal numbers; sigmoid(-inf) = 0, sigmoid(inf) = 1.
KOKKOS_FORCEINLINE_FUNCTION double sigmoid(const double x) {
  return impl::sigmoid(x);
}
KOKKOS_FORCEINLINE_FUNCTION float sigmoid(const float x) {
  return impl::sigmoid(x);
}

}  // namespace bcr::kernels::strict

#endif
