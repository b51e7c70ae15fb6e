#ifndef BCR_KERNELS_MATH_ERFC_HPP
#define BCR_KERNELS_MATH_ERFC_HPP

#include "kernels/math/exp.hpp"

namespace bcr::kernels::strict {

namespace impl {

/// base + t p of pairs: one Horner step with about twice the working precision.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> horner_step(const Pair<T>& t, const Pair<T>& p, const T base, const T base_low) {
  const Pair<T> product = exact_product(t.high, p.high);
  const T product_low = Kokkos::fma(t.high, p.low, Kokkos::fma(t.low, p.high, product.low));
  const Pair<T> sum = exact_sum(base, product.high);
  return {sum.high, sum.low + (product_low + base_low)};
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION Pair<T> multiply(const Pair<T>& a, const Pair<T>& b) {
  const Pair<T> product = exact_product(a.high, b.high);
  return {product.high, Kokkos::fma(a.high, b.low, Kokkos::fma(a.low, b.high, product.low))};
}

/// (x + 3) e^(x^2) erfc(x) as a polynomial in t = (x - 3) / (x + 3), for 0 <= x <= 27.3 (float: 10.1).
/// The high orders, which are small, in working precision; the low orders in pairs.
KOKKOS_FORCEINLINE_FUNCTION Pair<double> scaled_erfc(const Pair<double>& t) {
  const double t2 = t.high * t.high;
  const double even =
      polynomial(t2, -0x1.b78993d6ba74dp-6, 0x1.8dae3a2baf229p-9, -0x1.2238ff59b0ebcp-12, 0x1.fe001474fd164p-16,
                 -0x1.3ec5946178a58p-18, 0x1.0cb06d57a577dp-20, -0x1.fc51d6d2b0de1p-23, 0x1.cc633bef118d2p-25,
                 -0x1.53038c94e1973p-27, 0x1.238ae14f1a824p-30);
  const double odd =
      polynomial(t2, -0x1.3dd3e70fbad7ap-10, -0x1.1f78e14774e61p-11, 0x1.c32532c832f2ap-14, -0x1.251a32368fc8bp-16,
                 0x1.730a3a13b08fp-19, -0x1.b41567baa5dfcp-22, 0x1.773ab350f64e7p-25, 0x1.12f3b5fa17fcdp-30,
                 -0x1.0a2e4b82be3b6p-29, 0x1.9558dc44213d2p-32);
  const Pair<double> p5{Kokkos::fma(t.high, odd, even), 0.0};
  const Pair<double> p4 = horner_step(t, p5, 0x1.e995f11b16e11p-4, -0x1.4d4fffa06ac5cp-58);
  const Pair<double> p3 = horner_step(t, p4, -0x1.3deb21415dc7fp-2, 0x1.8a9cf444c1edp-56);
  const Pair<double> p2 = horner_step(t, p3, 0x1.2e326945de2b8p-1, 0x1.045ce380345a5p-56);
  const Pair<double> p1 = horner_step(t, p2, -0x1.c44c471baa376p-1, -0x1.18032c89d899fp-55);
  return horner_step(t, p1, 0x1.12f21ddd9f5e2p+0, -0x1.965ad01b410cbp-54);
}

KOKKOS_FORCEINLINE_FUNCTION Pair<float> scaled_erfc(const Pair<float>& t) {
  const float high_orders = polynomial(t.high, 0x1.e995ecp-4f, -0x1.b78bd8p-6f, -0x1.3dd4fap-10f, 0x1.8e25a6p-9f,
                                       -0x1.1e6c0ap-11f, -0x1.2d0af6p-12f, 0x1.95cc0ap-14f, 0x1.4f1a3ap-15f);
  const Pair<float> p4{high_orders, 0.0f};
  const Pair<float> p3 = horner_step(t, p4, -0x1.3deb1ep-2f, -0x1.de5b5ap-27f);
  const Pair<float> p2 = horner_step(t, p3, 0x1.2e326ap-1f, -0x1.624776p-26f);
  const Pair<float> p1 = horner_step(t, p2, -0x1.c44c48p-1f, 0x1.bdb8f2p-26f);
  return horner_step(t, p1, 0x1.12f21ep+0f, -0x1.1328d2p-27f);
}

template <class T>
struct ErfcConstants;

template <>
struct ErfcConstants<double> {
  static constexpr double underflow = 27.3;  ///< erfc(27.3) < 2^-1075, which rounds to zero
};

template <>
struct ErfcConstants<float> {
  static constexpr float underflow = 10.1f;
};

/// erfc(x) = e^(-x^2) P(t) / (x + 3) for x >= 0 and 2 - erfc(-x) below, all factors as pairs.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T erfc(const T x) {
  const T a = magnitude(x) > ErfcConstants<T>::underflow ? ErfcConstants<T>::underflow : magnitude(x);
  const Pair<T> shifted = exact_sum(T(3), a);
  const T inverse = T(1) / shifted.high;
  const T residual = Kokkos::fma(-inverse, shifted.low, Kokkos::fma(-inverse, shifted.high, T(1)));
  const Pair<T> reciprocal{inverse, inverse * residual};
  // t = 1 - 6 / (x + 3)
  const Pair<T> six = exact_product(T(-6), reciprocal.high);
  const Pair<T> lead = exact_sum(T(1), six.high);
  const Pair<T> t{lead.high, Kokkos::fma(T(-6), reciprocal.low, lead.low + six.low)};

  const Pair<T> square = exact_product(a, a);
  const ReducedExponent<T> reduced = reduce_exponent(-square.high, -square.low);
  const Pair<T> power = exp_of_reduced(reduced);
  const Pair<T> value = multiply(multiply(ordered_sum(power.high, power.low), scaled_erfc(t)), reciprocal);

  // Below zero, 2 - erfc(-x): there 2^n matters only while it is far from underflow.
  const Pair<T> left = ordered_sum(T(2), -scale({value.high, T(0)}, reduced));
  const T left_sum = left.high + (left.low - scale({value.low, T(0)}, reduced));
  const T result = x < T(0) ? left_sum : scale(value, reduced);
  return x != x ? quiet_nan<T>() : result;
}

}  // namespace impl

/// Complementary error function. Within 0.8 ulp, also below the normal numbers; erfc(-inf) = 2, erfc(inf) = 0.
KOKKOS_FORCEINLINE_FUNCTION double erfc(const double x) {
  return impl::erfc(x);
}
KOKKOS_FORCEINLINE_FUNCTION float erfc(const float x) {
  return impl::erfc(x);
}

}  // namespace bcr::kernels::strict

#endif
