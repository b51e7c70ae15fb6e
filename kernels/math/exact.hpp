#ifndef BCR_KERNELS_MATH_EXACT_HPP
#define BCR_KERNELS_MATH_EXACT_HPP

#include <Kokkos_Core.hpp>

namespace bcr::kernels::strict::impl {

/// An unevaluated sum high + low with |low| at most half an ulp of high.
template <class T>
struct Pair {
  T high;
  T low;
};

/// a + b exactly, for |a| >= |b| or a = 0 (Dekker 1971).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> ordered_sum(const T a, const T b) {
  const T sum = a + b;
  return {sum, b - (sum - a)};
}

/// a + b exactly, whichever is larger (Knuth, The Art of Computer Programming 2, 4.2.2).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> exact_sum(const T a, const T b) {
  const T sum = a + b;
  const T b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// a b exactly, barring underflow. The product is a fused one too: a plain a * b, added to something by the caller,
/// could be contracted into an fma by a compiler that is allowed to, and would lose the rounding that `low` completes.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> exact_product(const T a, const T b) {
  const T product = Kokkos::fma(a, b, T(0));
  return {product, Kokkos::fma(a, b, -product)};
}

/// a / b to about twice the precision of T, for b.high in [1/2, 2] and |a.high| <= 2: the
/// rounded quotient and, from its remainder, what it lacks. One division.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> quotient(const Pair<T>& a, const Pair<T>& b) {
  const T inverse = T(1) / b.high;
  const T high = Kokkos::fma(a.high, inverse, T(0));
  const T remainder = Kokkos::fma(-high, b.high, a.high) + Kokkos::fma(-high, b.low, a.low);
  return {high, inverse * remainder};
}

}  // namespace bcr::kernels::strict::impl

#endif
