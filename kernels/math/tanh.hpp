#ifndef BCR_KERNELS_MATH_TANH_HPP
#define BCR_KERNELS_MATH_TANH_HPP

#include "kernels/math/expm1.hpp"

namespace bcr::kernels::strict {

namespace impl {

/// With h = (e^(-2|x|) - 1) / 2 in (-1/2, 0]: tanh |x| = -h / (1 + h), both as sums of two numbers.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T tanh(const T x) {
  constexpr T least = ExpConstants<T>::minus_one;
  const T size = magnitude(x);
  const T doubled = T(-2) * size;
  const Pair<T> terms = half_expm1(doubled < least ? least : doubled);
  const Pair<T> half = ordered_sum(terms.high, terms.low);
  const Pair<T> sum = ordered_sum(T(1), half.high);
  const Pair<T> result = quotient(Pair<T>{-half.high, -half.low}, Pair<T>{sum.high, sum.low + half.low});
  const T value = size < Format<T>::tiny ? size : result.high + result.low;
  const T with_sign = from_bits<T>(bits_of(value) | (bits_of(x) ^ bits_of(size)));
  return x != x ? quiet_nan<T>() : with_sign;
}

}  // namespace impl

/// Hyperbolic tangent. Within 0.8 ulp; tanh(+-0) = +-0, tanh(+-inf) = +-1, odd.
KOKKOS_FORCEINLINE_FUNCTION double tanh(const double x) {
  return impl::tanh(x);
}
KOKKOS_FORCEINLINE_FUNCTION float tanh(const float x) {
  return impl::tanh(x);
}

}  // namespace bcr::kernels::strict

#endif
