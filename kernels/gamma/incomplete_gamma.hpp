#ifndef BCR_KERNELS_GAMMA_INCOMPLETE_GAMMA_HPP
#define BCR_KERNELS_GAMMA_INCOMPLETE_GAMMA_HPP

#include "kernels/gamma/gamma_density.hpp"
#include "kernels/gamma/gamma_polynomials.hpp"
#include "kernels/gamma/inclusion.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/expm1.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"

// The regularised incomplete gamma functions P(a, x), Q(a, x) of any real shape a > 0, as logarithms and hazards.
// For a fixed shape and many x, InclusionPlan (kernels/gamma/inclusion_plan.hpp) is forty times faster.
//
// With E = x^a e^-x / Gamma(a), the smaller tail is E times a ratio without cancellation; the other follows from it:
//   a < 1,     x < 1             P and Q from the alternating series of P                    (DLMF 8.7.1)
//   a >= 1000, |x - a| <= a/4    Temme's uniform expansion about the normal law              (DLMF 8.12)
//   x < a + 1                    P/E = (1/a) sum_k x^k / ((a+1)...(a+k))                     (DLMF 8.7.1)
//   otherwise                    Q/E = 1/(x+1-a + 1(a-1)/(x+3-a + 2(a-2)/(x+5-a + ...)))     (DLMF 8.9.2)
// Every loop is bounded by numbers that a and x give beforehand or by a proven cap.
namespace bcr::kernels {

namespace impl {

enum class GammaBranch { invalid, limit, small_shape, uniform, series, fraction };

inline constexpr double uniform_shape = 1000;  ///< from this shape on, the uniform expansion serves the centre

/// Which of the methods above serves (a, x).
KOKKOS_INLINE_FUNCTION GammaBranch gamma_branch(const double a, const double x) {
  const double infinity = strict::impl::infinity<double>();
  if (!(a > 0.0) || !(x >= 0.0) || (a == infinity && x == infinity)) return GammaBranch::invalid;
  if (x == 0.0 || a == infinity || x == infinity) return GammaBranch::limit;
  if (a < 1.0) return x < 1.0 ? GammaBranch::small_shape : GammaBranch::fraction;
  if (a >= uniform_shape && strict::impl::magnitude(x - a) <= 0.25 * a) return GammaBranch::uniform;
  return x - a < 1.0 ? GammaBranch::series : GammaBranch::fraction;
}

/// log E. Where x/a leaves the range of half_deviance, its logarithm dwarfs every rounding error.
KOKKOS_INLINE_FUNCTION double log_prefactor(const double a, const double x) {
  constexpr double log_two_pi = 0x1.d67f1c864beb5p+0;
  if (a < 1.0) return strict::log(a) + (Kokkos::fma(a, strict::log(x), -log_gamma_1p(a)) - x);
  const double quotient = x / a;
  const bool ordinary = quotient > 0x1p-1000 && quotient < 0x1p1000;
  const double phi = ordinary ? half_deviance(x, a, 1.0 / a) : (quotient - 1.0) - (strict::log(x) - strict::log(a));
  const double shape_part = Kokkos::fma(0.5, strict::log(a) - log_two_pi, -stirling_correction(a));
  return Kokkos::fma(-a, phi, shape_part);
}

/// sum_k x^k / ((a+1)...(a+k)) for x < a + 1. All terms are positive and fall from the second on; for a < 1000 the
/// k-th is below prod_j (a+1)/(a+j) < 2^-60 at k = 340, for a >= 1000 and x <= 3a/4 below (3/4)^k, 2^-60 at k = 145.
KOKKOS_INLINE_FUNCTION double gamma_series(const double a, const double x) {
  constexpr int cap = 400;
  double term = 1.0;
  double sum = 1.0;
  double lost = 0.0;
  for (int k = 1; k <= cap; ++k) {
    term = (term * x) / (a + k);
    const double next = sum + term;
    lost += (sum - next) + term;
    sum = next;
    if (term <= 0x1p-60 * sum) break;
  }
  return sum + lost;
}

/// x+1-a + 1(a-1)/(x+3-a + 2(a-2)/(x+5-a + ...)), from the inside out. The number of levels was measured to leave less
/// than 2^-55 for 0 < a < 1000, x >= max(1, a + 1), and for a >= 1000, x >= 5a/4; a quarter of it is reserve.
KOKKOS_INLINE_FUNCTION double gamma_fraction(const double a, const double x) {
  const double first = (x - a) + 1.0;
  const int levels = a < uniform_shape ? static_cast<int>(Kokkos::fma(3.0, Kokkos::sqrt(a), 12.0 + 110.0 / x)) : 16;
  double value = first + 2.0 * levels;
  for (int i = levels; i >= 1; --i) value = Kokkos::fma((a - i) / value, double(i), first + 2.0 * (i - 1));
  return value;
}

enum class Tail { lower, upper };

/// All four outputs from the logarithm of the smaller tail and from E/tail, which stays finite for every finite x.
KOKKOS_INLINE_FUNCTION Inclusion<double> from_tail(const Tail tail, const double log_tail, const double inverse_ratio,
                                                   const double x) {
  const double value = strict::exp(log_tail);
  const double log_rest = strict::log1p(-value);
  const double hazard = inverse_ratio / x;
  const double hazard_rest = ((value / (1.0 - value)) * inverse_ratio) / x;  // hazard itself may overflow
  if (tail == Tail::lower) return {log_tail, log_rest, hazard, hazard_rest};
  return {log_rest, log_tail, hazard_rest, hazard};
}

/// a < 1 and x < 1: P = c (1 + a h), Q = (1 - c) - c a h, with c = x^a / Gamma(1+a) and h = sum_k (-x)^k / (k! (a+k)),
/// k >= 1. Both terms of Q shrink with a, so Q keeps its digits; 19 terms leave less than 2^-58.
KOKKOS_INLINE_FUNCTION Inclusion<double> gamma_small_shape(const double a, const double x) {
  double h = 0.0;
  for (int k = 19; k >= 1; --k) h = (-x * (1.0 / (a + k) + h)) / k;
  const double log_c = Kokkos::fma(a, strict::log(x), -log_gamma_1p(a));
  const double c = strict::exp(log_c);
  const double ah = Kokkos::fma(a, h, 0.0);  // fused, so that no compiler fuses it with what follows
  const double p = Kokkos::fma(c, ah, c);
  const double q = Kokkos::fma(-c, ah, -strict::expm1(log_c));
  const double mass = a * strict::exp(log_c - x);  // x g(x)
  const bool lower_is_small = p < 0.5;
  const double log_p = lower_is_small ? log_c + strict::log1p(ah) : strict::log1p(-q);
  const double log_q = lower_is_small ? strict::log1p(-p) : strict::log(q);
  return {log_p, log_q, (mass / p) / x, (mass / q) / x};
}

/// a >= 1000, |x - a| <= a/4. With eta = sign(x - a) sqrt(2 phi) and z = |eta| sqrt(a),
/// tail = exp(-a phi) / sqrt(2 pi) (m(z) +- sum_k c_k(eta) a^(-k-1/2)), m being Mills' ratio.
KOKKOS_INLINE_FUNCTION Inclusion<double> gamma_uniform(const double a, const double x) {
  constexpr double half_log_two_pi = 0x1.d67f1c864beb5p-1;
  const double inverse_a = 1.0 / a;
  const double phi = half_deviance(x, a, inverse_a);
  const double eta = Kokkos::sqrt(2.0 * phi);
  const double root = Kokkos::sqrt(a);
  const bool upper = x >= a;
  const double sum = temme_sum(upper ? eta : -eta, inverse_a) / root;
  const double bracket = mills_ratio(Kokkos::fma(eta, root, 0.0)) + (upper ? sum : -sum);
  const double ratio = (bracket / root) * strict::exp(stirling_correction(a));
  const double log_tail = Kokkos::fma(-a, phi, strict::log(bracket) - half_log_two_pi);
  return from_tail(upper ? Tail::upper : Tail::lower, log_tail, 1.0 / ratio, x);
}

/// x = 0, or one of a and x infinite.
KOKKOS_INLINE_FUNCTION Inclusion<double> gamma_limit(const double a, const double x) {
  const double infinity = strict::impl::infinity<double>();
  if (x == infinity) return {0.0, -infinity, 0.0, 1.0};
  const double density = x > 0.0 || a > 1.0 ? 0.0 : (a == 1.0 ? 1.0 : infinity);
  return {-infinity, 0.0, infinity, density};
}

}  // namespace impl

/// P and Q of shape a at x. NaN for a NaN, a <= 0, x < 0 and a = x = inf; at x = 0, P = 0 and hazard_p = +inf.
/// Elsewhere finite unless the value itself leaves the range of double. Errors: docs/numerics.md.
KOKKOS_INLINE_FUNCTION Inclusion<double> incomplete_gamma(const double a, const double x) {
  using impl::GammaBranch;
  switch (impl::gamma_branch(a, x)) {
    case GammaBranch::limit:
      return impl::gamma_limit(a, x);
    case GammaBranch::small_shape:
      return impl::gamma_small_shape(a, x);
    case GammaBranch::uniform:
      return impl::gamma_uniform(a, x);
    case GammaBranch::series: {
      const double ratio = impl::gamma_series(a, x) / a;
      return impl::from_tail(impl::Tail::lower, impl::log_prefactor(a, x) + strict::log(ratio), 1.0 / ratio, x);
    }
    case GammaBranch::fraction: {
      const double fraction = impl::gamma_fraction(a, x);
      return impl::from_tail(impl::Tail::upper, impl::log_prefactor(a, x) - strict::log(fraction), fraction, x);
    }
    case GammaBranch::invalid:
      break;
  }
  const double nan = strict::impl::quiet_nan<double>();
  return {nan, nan, nan, nan};
}

/// The same in float: computed in double and rounded once.
KOKKOS_INLINE_FUNCTION Inclusion<float> incomplete_gamma(const float a, const float x) {
  const Inclusion<double> wide = incomplete_gamma(double(a), double(x));
  return {float(wide.log_p), float(wide.log_q), float(wide.hazard_p), float(wide.hazard_q)};
}

}  // namespace bcr::kernels

#endif
