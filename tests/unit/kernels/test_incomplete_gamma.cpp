#include "kernels/gamma/incomplete_gamma.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using bcr::kernels::Inclusion;
using bcr::kernels::incomplete_gamma;
using bcr::kernels::impl::gamma_branch;
using bcr::kernels::impl::GammaBranch;
namespace tolerance = bcr::test::tolerance;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void expect_all_nan(const double a, const double x) {
  const Inclusion<double> got = incomplete_gamma(a, x);
  EXPECT_TRUE(std::isnan(got.log_p) && std::isnan(got.log_q) && std::isnan(got.hazard_p) && std::isnan(got.hazard_q))
      << "a = " << a << ", x = " << x;
}

void expect_equal(const Inclusion<double>& got, const Inclusion<double>& expected) {
  EXPECT_EQ(got.log_p, expected.log_p);
  EXPECT_EQ(got.log_q, expected.log_q);
  EXPECT_EQ(got.hazard_p, expected.hazard_p);
  EXPECT_EQ(got.hazard_q, expected.hazard_q);
}

/// Shapes and points in every branch.
const std::vector<double> shapes{1e-300, 1e-12, 0.01, 0.5, 0.999, 1,    1.5, 2,  8.5,
                                 64,     127.5, 320,  999, 1000,  2048, 1e5, 1e9};

std::vector<double> points(const double a) {
  std::vector<double> x;
  for (double ratio = 1e-6; ratio < 2e3; ratio *= 1.37) x.push_back(a < 1e-6 ? ratio : a * ratio);
  return x;
}

TEST(IncompleteGamma, InvalidArgumentsGiveNan) {
  const bcr::test::InvalidTrapOff comparing_nan_is_invalid;

  expect_all_nan(nan, 1);
  expect_all_nan(1, nan);
  expect_all_nan(nan, nan);
  expect_all_nan(0, 1);
  expect_all_nan(0, 0);
  expect_all_nan(-1, 1);
  expect_all_nan(-infinity, 1);
  expect_all_nan(1, -1e-300);
  expect_all_nan(1, -infinity);
  expect_all_nan(infinity, infinity);
}

TEST(IncompleteGamma, AtZeroAndInfinityTheLimitsAreExact) {
  expect_equal(incomplete_gamma(0.5, 0.0), {-infinity, 0, infinity, infinity});
  expect_equal(incomplete_gamma(1.0, 0.0), {-infinity, 0, infinity, 1});
  expect_equal(incomplete_gamma(64.0, 0.0), {-infinity, 0, infinity, 0});
  expect_equal(incomplete_gamma(64.0, -0.0), {-infinity, 0, infinity, 0});
  expect_equal(incomplete_gamma(64.0, infinity), {0, -infinity, 0, 1});
  expect_equal(incomplete_gamma(1e-3, infinity), {0, -infinity, 0, 1});
  expect_equal(incomplete_gamma(infinity, 64.0), {-infinity, 0, infinity, 0});
}

TEST(IncompleteGamma, IsFiniteAtExtremeArguments) {
  const bcr::test::InvalidTrapOff branches_not_taken_may_be_evaluated;
  for (const double a : {5e-324, 1e-300, 0.5, 1.0, 64.0, 1e4, 1e15, 1e300}) {
    for (const double x : {1e-300, 1e-30, 1.0, 1e4, 1e15, 1e300, 1.7e308}) {
      const Inclusion<double> got = incomplete_gamma(a, x);

      EXPECT_TRUE(std::isfinite(got.log_p) && std::isfinite(got.log_q) && std::isfinite(got.hazard_q))
          << "a = " << a << ", x = " << x << ": " << got.log_p << ' ' << got.log_q << ' ' << got.hazard_q;
      EXPECT_EQ(std::isfinite(got.hazard_p), a / x < 1e308) << "a = " << a << ", x = " << x;
    }
  }
}

TEST(IncompleteGamma, LargeShapeAndTinyArgumentKeepsLogP) {
  // log P = a log x - log Gamma(a + 1) - x + ... ; at a = 100, x = 1e-300
  const double expected = 100 * std::log(1e-300) - std::lgamma(101.0);

  EXPECT_NEAR(incomplete_gamma(100.0, 1e-300).log_p / expected, 1, tolerance::gamma_goal);
  EXPECT_EQ(incomplete_gamma(100.0, 1e-300).log_q, 0);
  EXPECT_NEAR(incomplete_gamma(100.0, 1e-300).hazard_p / 1e302, 1, tolerance::gamma_goal);
}

TEST(IncompleteGamma, QFarBelowEpsilonIsNotOneMinusP) {
  // a = 1: Q = e^-x, P = 1 - e^-x
  for (const double x : {40.0, 300.0, 700.0, 5000.0}) {
    const Inclusion<double> got = incomplete_gamma(1.0, x);

    EXPECT_NEAR(got.log_q / -x, 1, tolerance::gamma_goal);
    EXPECT_NEAR(got.hazard_q, 1, tolerance::gamma_goal);
  }
  EXPECT_NEAR(incomplete_gamma(1.0, 300.0).log_p / -std::exp(-300.0), 1, tolerance::gamma);
}

TEST(IncompleteGamma, PAndQSumToOne) {
  for (const double a : shapes) {
    for (const double x : points(a)) {
      const Inclusion<double> got = incomplete_gamma(a, x);

      EXPECT_NEAR(got.p() + got.q(), 1, tolerance::gamma_goal) << "a = " << a << ", x = " << x;
    }
  }
}

TEST(IncompleteGamma, HazardsAreTheDerivativesOfTheLogarithms) {
  for (const double a : {0.3, 0.5, 1.0, 2.5, 8.5, 64.0, 320.0, 1024.0, 5e4}) {
    for (const double ratio : {0.05, 0.3, 0.5, 0.9, 1.0, 1.1, 2.0, 5.0}) {
      const double x = a * ratio;
      const double h = x * 1e-4 / std::sqrt(a + 1);
      const auto log_p = [&](const int k) { return incomplete_gamma(a, x + k * h).log_p; };
      const auto log_q = [&](const int k) { return incomplete_gamma(a, x + k * h).log_q; };
      const Inclusion<double> got = incomplete_gamma(a, x);

      // Fourth-order central differences; their rounding error grows with the value and 1/h.
      const double slope_p = (8 * (log_p(1) - log_p(-1)) - (log_p(2) - log_p(-2))) / (12 * h);
      const double slope_q = (8 * (log_q(1) - log_q(-1)) - (log_q(2) - log_q(-2))) / (12 * h);
      const double noise_p = tolerance::gamma_slope * std::fmax(1, std::fabs(got.log_p)) / h;
      const double noise_q = tolerance::gamma_slope * std::fmax(1, std::fabs(got.log_q)) / h;
      EXPECT_NEAR(got.hazard_p, slope_p, noise_p) << "a = " << a << ", x = " << x;
      EXPECT_NEAR(got.hazard_q, -slope_q, noise_q) << "a = " << a << ", x = " << x;
    }
  }
}

TEST(IncompleteGamma, LogarithmsAreMonotoneInX) {
  for (const double a : shapes) {
    double log_p = -infinity;
    double log_q = 0;
    for (const double x : points(a)) {
      const Inclusion<double> got = incomplete_gamma(a, x);

      EXPECT_GE(got.log_p, log_p) << "a = " << a << ", x = " << x;
      EXPECT_LE(got.log_q, log_q) << "a = " << a << ", x = " << x;
      log_p = got.log_p;
      log_q = got.log_q;
    }
  }
}

TEST(IncompleteGamma, BranchesMeetWhereTheCommentSays) {
  const double above_one = std::nextafter(1.0, 2.0);
  const double below_one = std::nextafter(1.0, 0.0);

  EXPECT_EQ(gamma_branch(0.5, below_one), GammaBranch::small_shape);
  EXPECT_EQ(gamma_branch(0.5, 1.0), GammaBranch::fraction);
  EXPECT_EQ(gamma_branch(1.0, 1.9), GammaBranch::series);
  EXPECT_EQ(gamma_branch(1.0, 2.0), GammaBranch::fraction);
  EXPECT_EQ(gamma_branch(below_one, 0.5), GammaBranch::small_shape);
  EXPECT_EQ(gamma_branch(above_one, 0.5), GammaBranch::series);
  EXPECT_EQ(gamma_branch(999.5, 999.5), GammaBranch::series);
  EXPECT_EQ(gamma_branch(1000.0, 750.0), GammaBranch::uniform);
  EXPECT_EQ(gamma_branch(1000.0, 749.9), GammaBranch::series);
  EXPECT_EQ(gamma_branch(1000.0, 1250.0), GammaBranch::uniform);
  EXPECT_EQ(gamma_branch(1000.0, 1250.1), GammaBranch::fraction);
}

TEST(IncompleteGamma, FloatIsTheRoundedDouble) {
  for (const float a : {0.5F, 1.0F, 64.0F, 2048.0F}) {
    for (const float x : {1e-3F, 0.7F, 30.0F, 64.0F, 500.0F, 2100.0F}) {
      const Inclusion<double> wide = incomplete_gamma(double(a), double(x));
      const Inclusion<float> got = incomplete_gamma(a, x);

      EXPECT_EQ(got.log_p, float(wide.log_p));
      EXPECT_EQ(got.log_q, float(wide.log_q));
      EXPECT_EQ(got.hazard_p, float(wide.hazard_p));
      EXPECT_EQ(got.hazard_q, float(wide.hazard_q));
    }
  }
}

}  // namespace
