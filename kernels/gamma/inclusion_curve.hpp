#ifndef BCR_KERNELS_GAMMA_INCLUSION_CURVE_HPP
#define BCR_KERNELS_GAMMA_INCLUSION_CURVE_HPP

#include "kernels/gamma/gamma_density.hpp"
#include "kernels/gamma/gamma_polynomials.hpp"
#include "kernels/gamma/inclusion.hpp"

#include <cstdint>

namespace bcr::kernels {

/// The gamma law of one fixed shape a = n/2 as a function of D^2: a small value that kernels take by copy.
/// InclusionPlan makes it; its arithmetic is the same straight line of operations for every D^2, so loops vectorise.
///
/// With E = x^a e^-x / Gamma(a) and the distance w = |x - seam| + width from the seam, both w P/E (left of the seam)
/// and w Q/E (right of it) are smooth functions of 1/w, up to x = inf: each is one polynomial (Shepherd and
/// Laframboise's idea for erfc, Math. Comp. 36, 1981). From ratio = polynomial / w follow, without an exponential,
///   hazard = 1 / (x ratio),   log tail = log E + log ratio,   log E = -a phi + peak,
/// and from tail = E ratio the other side: log(1 - tail) and hazard tail / (1 - tail).
///
/// A caller with one D^2 uses operator(). One with many may run each of its steps over a block of them: that keeps the
/// chains of dependent operations short, so that a CPU overlaps neighbours, and gives the same bits.
struct InclusionCurve {
  static constexpr int coefficients = 22;

  /// w tail/E = sum_k c_k t^k with t = slope / w + base in [-1, 1], for both sides of the seam: constants of the upper
  /// one, and the bits in which those of the lower one differ. A mask then chooses the side with `and` and `xor`, which
  /// no compiler turns into a branch or a gather and which leaves the multipliers free.
  struct Pair {
    double upper;
    std::uint64_t difference;
  };

  double shape;          ///< a
  double inverse_shape;  ///< 1/a
  double peak;           ///< log E at x = a
  double seam;
  double width;
  double nearest;   ///< smaller x are taken as this one: at x = 0, log P and hazard_p have no finite value
  double farthest;  ///< larger x are taken as this one
  Pair slope;
  Pair base;
  Pair c[coefficients];

  /// Finite for all D^2 >= 0; NaN for D^2 < 0 or NaN.
  KOKKOS_FORCEINLINE_FUNCTION Inclusion<double> operator()(const double squared_distance) const {
    const double x = limited(squared_distance);
    const double ratio = tail_ratio(x);
    const double log_e = log_mass(x);
    const double small = tail(ratio, log_e);
    return both_sides(x, ratio, small, log_e + log_ratio(ratio), log_rest(small));
  }

  /// x = D^2/2 within the range of the curve; NaN for D^2 < 0 or NaN.
  KOKKOS_FORCEINLINE_FUNCTION double limited(const double squared_distance) const {
    const double x = 0.5 * squared_distance;
    const double raised = x < nearest ? nearest : x;
    const double inside = raised > farthest ? farthest : raised;
    return squared_distance >= 0.0 ? inside : strict::impl::quiet_nan<double>();
  }

  /// P/E left of the seam, Q/E right of it. Four chains, each of every fourth power, hide the latency of fma.
  KOKKOS_FORCEINLINE_FUNCTION double tail_ratio(const double x) const {
    const double offset = x - seam;
    const std::uint64_t mask = offset < 0.0 ? ~std::uint64_t{0} : std::uint64_t{0};
    const double inverse_w = 1.0 / (strict::impl::magnitude(offset) + width);
    const double t = Kokkos::fma(chosen(slope, mask), inverse_w, chosen(base, mask));
    const double t2 = t * t;
    const double t4 = t2 * t2;
    const double low = Kokkos::fma(every_fourth<1>(mask, t4), t, every_fourth<0>(mask, t4));
    const double high = Kokkos::fma(every_fourth<3>(mask, t4), t, every_fourth<2>(mask, t4));
    return Kokkos::fma(high, t2, low) * inverse_w;
  }

  /// log E
  KOKKOS_FORCEINLINE_FUNCTION double log_mass(const double x) const {
    return Kokkos::fma(-shape, impl::half_deviance(x, shape, inverse_shape), peak);
  }

  /// P left of the seam, Q right of it.
  KOKKOS_FORCEINLINE_FUNCTION static double tail(const double ratio, const double log_e) {
    return impl::scaled_exp(ratio, log_e);
  }

  KOKKOS_FORCEINLINE_FUNCTION static double log_ratio(const double ratio) { return log_normal(ratio, 0.0); }

  /// log(1 - tail)
  KOKKOS_FORCEINLINE_FUNCTION static double log_rest(const double tail) {
    const double rest = 1.0 - tail;
    return log_normal(rest, (1.0 - rest) - tail);
  }

  /// The outputs, given all about the side of the seam x lies on and the logarithm of the rest.
  KOKKOS_FORCEINLINE_FUNCTION Inclusion<double> both_sides(const double x, const double ratio, const double tail,
                                                           const double log_tail, const double log_rest) const {
    const double hazard = 1.0 / (x * ratio);
    const double hazard_rest = (hazard * tail) / (1.0 - tail);
    const bool left = x < seam;
    const bool valid = x == x;
    const double nan = strict::impl::quiet_nan<double>();
    return {valid ? (left ? log_tail : log_rest) : nan, valid ? (left ? log_rest : log_tail) : nan,
            valid ? (left ? hazard : hazard_rest) : nan, valid ? (left ? hazard_rest : hazard) : nan};
  }

 private:
  /// log(x + low) of a positive normal x and a low part below its last digit, to some ulp of max(1, |log x|) and, near
  /// x = 1, of the result. Only there does low count, so it is not scaled with the mantissa.
  KOKKOS_FORCEINLINE_FUNCTION static double log_normal(const double x, const double low) {
    const impl::Mantissa mantissa = impl::mantissa_of(x);
    const double f = (mantissa.value - 1.0) + low;
    const double s = f / (2.0 + f);
    const double z = Kokkos::fma(s, s, 0x1p-400);  // s^2, kept where its powers do not underflow: that would cost time
    const double mantissa_part = s * Kokkos::fma(z, impl::log_remainder(z), 2.0);
    const double low_part = Kokkos::fma(mantissa.exponent, impl::log_two_low, mantissa_part);
    return Kokkos::fma(mantissa.exponent, impl::log_two_high, low_part);
  }

  KOKKOS_FORCEINLINE_FUNCTION static double chosen(const Pair& pair, const std::uint64_t lower_mask) {
    return strict::impl::from_bits<double>(strict::impl::bits_of(pair.upper) ^ (pair.difference & lower_mask));
  }

  /// c[K] + t4 (c[K+4] + t4 (c[K+8] + ...)) of the side in question.
  template <int K>
  KOKKOS_FORCEINLINE_FUNCTION double every_fourth(const std::uint64_t mask, const double t4) const {
    const double here = chosen(c[K], mask);
    if constexpr (K + 4 < coefficients) return Kokkos::fma(every_fourth<K + 4>(mask, t4), t4, here);
    return here;
  }
};

}  // namespace bcr::kernels

#endif
