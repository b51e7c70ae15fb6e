#ifndef BCR_KERNELS_MATH_LOG1P_HPP
#define BCR_KERNELS_MATH_LOG1P_HPP

#include "kernels/math/log_parts.hpp"

namespace bcr::kernels::strict {

namespace impl {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log1p(const T x) {
  // For huge x, log(1 + x) rounds like log(x).
  const bool moderate = magnitude(x) < Format<T>::huge;
  const Pair<T> u = exact_sum(T(1), moderate ? x : T(0));
  const Split<T> parts = split(moderate ? u.high : x, T(0));
  // The low part belongs to the mantissa too: multiply it by 2^-exponent. With exponent 0, f is x itself.
  const T scaled_low = u.low * power_of_two(Format<T>::shifter - (moderate ? parts.exponent : T(0)));
  const Pair<T> f = ordered_sum(parts.mantissa - T(1), scaled_low);
  const T result = log_sum(parts.exponent, f.high, Kokkos::fma(-f.high, f.low, f.low));  // f.low / (1 + f)
  const T finite = magnitude(x) < Format<T>::tiny ? x : result;
  const T above = x == infinity<T>() ? x : finite;
  const T limit = x == T(-1) ? -infinity<T>() : quiet_nan<T>();
  return x > T(-1) ? above : limit;
}

}  // namespace impl

/// log(1 + x) without the loss of forming 1 + x. Within 0.7 ulp.
/// log1p(+-0) = +-0, log1p(-1) = -inf, log1p(x < -1) = NaN, log1p(inf) = inf.
KOKKOS_FORCEINLINE_FUNCTION double log1p(const double x) {
  return impl::log1p(x);
}
KOKKOS_FORCEINLINE_FUNCTION float log1p(const float x) {
  return impl::log1p(x);
}

}  // namespace bcr::kernels::strict

#endif
