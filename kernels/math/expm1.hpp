#ifndef BCR_KERNELS_MATH_EXPM1_HPP
#define BCR_KERNELS_MATH_EXPM1_HPP

#include "kernels/math/exp.hpp"

namespace bcr::kernels::strict {

namespace impl {

/// (e^x - 1) / 2 as a sum; halved because 2^n may overflow where e^x does not. For minus_one <= x <= overflow.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> half_expm1(const T x) {
  const ReducedExponent<T> reduced = reduce_exponent(x, T(0));
  // e^r - 1 = r + r^2/2 + r^3 (...): the two leading terms with their rounding errors.
  const Pair<T> r = ordered_sum(reduced.head, reduced.rest);
  const T r2 = r.high * r.high;
  const Pair<T> square = exact_product(T(0.5) * r.high, r.high);
  const Pair<T> lead = ordered_sum(r.high, square.high);
  const T lead_low = Kokkos::fma(r.high, r.low, lead.low + square.low) + r.low;
  const T low = Kokkos::fma(r.high * r2, exp_cubic(r.high, r2), lead_low);
  // (e^x - 1) / 2 = (2^(n-1) - 1/2) + 2^(n-1) (e^r - 1)
  const T half_power = power_of_two(reduced.shifted - T(Format<T>::bias + 1));
  const Pair<T> whole = exact_sum(half_power, T(-0.5));
  const Pair<T> sum = ordered_sum(whole.high, half_power * lead.high);
  return {sum.high, Kokkos::fma(half_power, low, sum.low + whole.low)};
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T expm1(const T x) {
  const bool low_end = x < ExpConstants<T>::minus_one;
  const bool high_end = x > ExpConstants<T>::overflow;
  const T raised = low_end ? ExpConstants<T>::minus_one : x;
  const Pair<T> half = half_expm1(high_end ? ExpConstants<T>::overflow : raised);
  const T result = magnitude(x) < Format<T>::tiny ? x : T(2) * (half.high + half.low);
  return x != x ? quiet_nan<T>() : result;
}

}  // namespace impl

/// e^x - 1 without cancellation near zero. Within 0.9 ulp; expm1(+-0) = +-0, expm1(-inf) = -1, expm1(inf) = inf.
KOKKOS_FORCEINLINE_FUNCTION double expm1(const double x) {
  return impl::expm1(x);
}
KOKKOS_FORCEINLINE_FUNCTION float expm1(const float x) {
  return impl::expm1(x);
}

}  // namespace bcr::kernels::strict

#endif
