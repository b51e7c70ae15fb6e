#ifndef BCR_KERNELS_MATH_LOG_HPP
#define BCR_KERNELS_MATH_LOG_HPP

#include "kernels/math/log_parts.hpp"

namespace bcr::kernels::strict {

namespace impl {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log(const T x) {
  using Constants = LogConstants<T>;
  const bool subnormal = x < Constants::smallest_normal;
  const T lifted = subnormal ? x * Constants::lift : x;
  const Split<T> parts = split(lifted, subnormal ? Constants::lift_exponent : T(0));
  const T result = log_sum(parts.exponent, parts.mantissa - T(1), T(0));
  const T limit = x == T(0) ? -infinity<T>() : quiet_nan<T>();
  const T positive = x == infinity<T>() ? x : result;
  return x > T(0) ? positive : limit;
}

}  // namespace impl

/// Natural logarithm. Within 0.7 ulp; log(+-0) = -inf, log(inf) = inf, log(x < 0) = NaN, log(1) = +0.
KOKKOS_FORCEINLINE_FUNCTION double log(const double x) {
  return impl::log(x);
}
KOKKOS_FORCEINLINE_FUNCTION float log(const float x) {
  return impl::log(x);
}

}  // namespace bcr::kernels::strict

#endif
