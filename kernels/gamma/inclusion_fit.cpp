#include "kernels/gamma/inclusion_fit.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace bcr::kernels {

namespace {

// Integers inside, hence the same digits on every host.
using Wide = boost::multiprecision::cpp_bin_float_50;
using Coefficients = std::array<Wide, InclusionCurve::coefficients>;

/// Terms below this part of a sum are left out: far below what rounding to double leaves.
Wide negligible() {
  return ldexp(Wide(1), -106);
}

/// log E at x = a, that is a log a - a - log Gamma(a), for a = n/2.
Wide log_peak(const int n) {
  const Wide& pi = boost::math::constants::pi<Wide>();
  Wide gamma = n % 2 == 0 ? Wide(1) : Wide(sqrt(pi));
  for (int twice = n % 2 == 0 ? 2 : 1; twice < n; twice += 2) gamma *= Wide(twice) / 2;
  const Wide a = Wide(n) / 2;
  return a * log(a) - a - log(gamma);
}

/// P/E = (1/a) sum_k x^k / ((a+1)...(a+k))
Wide lower_ratio(const Wide& a, const Wide& x) {
  Wide term = 1 / a;
  Wide sum = term;
  const Wide least = negligible();
  for (int k = 1; term > sum * least; ++k) {
    term *= x / (a + k);
    sum += term;
  }
  return sum;
}

/// Q/E = 1/(x+1-a + 1(a-1)/(x+3-a + 2(a-2)/(x+5-a + ...))), by Lentz's method. Ends by itself for a whole number a.
Wide upper_ratio(const Wide& a, const Wide& x) {
  Wide b = x + 1 - a;
  Wide value = b;
  Wide c = b;
  Wide d = 0;
  Wide change = 0;
  const Wide least = negligible();
  for (int i = 1; abs(change - 1) > least; ++i) {
    const Wide step = i * (a - i);
    b += 2;
    d = 1 / (b + step * d);
    c = b + step / c;
    change = c * d;
    value *= change;
  }
  return 1 / value;
}

/// The polynomial in powers of t that meets `function` in the Chebyshev points of [-1, 1].
template <class Function>
Coefficients interpolate(const Function& function) {
  constexpr int count = InclusionCurve::coefficients;
  const Wide& pi = boost::math::constants::pi<Wide>();
  // cos(pi m / 2 count) for every m: points and basis are among them.
  std::array<Wide, 4 * count> cosine;
  for (int m = 0; m < 4 * count; ++m) cosine[m] = cos(pi * m / (2 * count));
  Coefficients values;
  for (int k = 0; k < count; ++k) values[k] = function(cosine[2 * k + 1]);

  Coefficients powers{};
  Coefficients before{};
  Coefficients now{};
  before[0] = 1;
  now[1] = 1;
  for (int j = 0; j < count; ++j) {
    Wide weight = 0;
    for (int k = 0; k < count; ++k) weight += values[k] * cosine[j * (2 * k + 1) % (4 * count)];
    weight *= Wide(j == 0 ? 1 : 2) / count;
    for (int i = 0; i < count; ++i) powers[i] += weight * (j == 0 ? before[i] : now[i]);
    if (j == 0) continue;
    for (int i = count - 1; i >= 0; --i) {  // T_(j+1) = 2 t T_j - T_(j-1)
      const Wide after = (i > 0 ? Wide(2 * now[i - 1]) : Wide(0)) - before[i];
      before[i] = now[i];
      now[i] = after;
    }
  }
  return powers;
}

/// One side of the seam: w tail/E = sum_k c[k] t^k, t = slope / w + base.
struct Side {
  double slope;
  double base;
  std::array<double, InclusionCurve::coefficients> c;
};

/// Fits w tail/E between 1/w = nearest (t = -1) and 1/w = 1/width (t = 1); ratio(w) gives tail/E.
template <class Ratio>
Side fit_side(const Wide& nearest, const Wide& width, const Ratio& ratio) {
  Side side{};
  const Wide farthest = 1 / width;
  side.slope = static_cast<double>(2 / (farthest - nearest));
  side.base = static_cast<double>(-(farthest + nearest) / (farthest - nearest));
  const Coefficients fitted = interpolate([&](const Wide& t) {
    const Wide w = side.slope / (t - side.base);  // inverts the rounded map, not the ideal one
    return Wide(w * ratio(w));
  });
  std::transform(fitted.begin(), fitted.end(), side.c.begin(), [](const Wide& c) { return static_cast<double>(c); });
  return side;
}

InclusionCurve::Pair pair_of(const double lower, const double upper) {
  return {upper, std::bit_cast<std::uint64_t>(lower) ^ std::bit_cast<std::uint64_t>(upper)};
}

/// The scale of the map: that of the normal law for large shapes; found by search for small ones, where 22 coefficients
/// hold 2^-52 at every n. Any value is right, this one needs the fewest coefficients.
double map_width(const double a) {
  return std::max(3.6, 5.0 * a * std::sqrt(a) / (a + 4.0));
}

}  // namespace

InclusionCurve fit_inclusion_curve(const int dimensions, const double floor) {
  InclusionCurve curve{};
  curve.shape = 0.5 * dimensions;
  curve.inverse_shape = 1.0 / curve.shape;
  curve.peak = static_cast<double>(log_peak(dimensions));
  curve.seam = curve.shape + 1.0;
  curve.width = map_width(curve.shape);
  curve.nearest = curve.shape * floor;
  curve.farthest = 0x1p1000;  // its ratio to a and its distance to the seam are still ordinary numbers

  const Wide a = curve.shape;
  const Wide seam = curve.seam;
  const Wide width = curve.width;
  const Side lower = fit_side(1 / (seam + width), width, [&](const Wide& w) {
    const Wide x = seam - (w - width);
    return lower_ratio(a, x);
  });
  const Side upper = fit_side(Wide(0), width, [&](const Wide& w) {
    const Wide x = seam + (w - width);
    return upper_ratio(a, x);
  });
  curve.slope = pair_of(lower.slope, upper.slope);
  curve.base = pair_of(lower.base, upper.base);
  std::transform(lower.c.begin(), lower.c.end(), upper.c.begin(), curve.c, pair_of);
  return curve;
}

}  // namespace bcr::kernels
