#include "src/scores/weibull.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace {

using bcr::scores::fit_weibull;
using bcr::scores::WeibullTail;
namespace tolerance = bcr::test::tolerance;

std::vector<double> logs_of(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

TEST(Weibull, FitSolvesTheLikelihoodEquationsToTheLastDigits) {
  // Root of the likelihood equations by a 40-digit solver.
  const auto model = fit_weibull(logs_of({0.3, 0.7, 1.1, 1.4, 2.2, 3.9}));

  ASSERT_TRUE(model.has_value());
  EXPECT_NEAR(model->shape, 1.4004647995089296668, tolerance::weibull_fit * model->shape);
  EXPECT_NEAR(model->log_scale, 0.56729870389984668474, tolerance::weibull_fit);
}

TEST(Weibull, FitRecoversTheParametersOfALargeSample) {
  std::mt19937_64 random(3);
  for (const double shape : {0.5, 1.0, 3.5, 40.0}) {
    constexpr double scale = 7;
    constexpr int count = 40000;
    std::vector<double> logs;
    for (int i = 0; i < count; ++i) {
      const double uniform = (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
      logs.push_back(std::log(scale) + std::log(-std::log(uniform)) / shape);
    }

    const auto model = fit_weibull(logs);

    // Asymptotic standard deviations of the estimates: 0.78 shape / sqrt(N) and 1.053 / (shape sqrt(N)).
    const double root = std::sqrt(static_cast<double>(count));
    EXPECT_NEAR(model->shape, shape, 4 * 0.78 * shape / root);
    EXPECT_NEAR(model->log_scale, std::log(scale), 4 * 1.053 / (shape * root));
  }
}

TEST(Weibull, FitScalesWithTheData) {
  const auto model = fit_weibull(logs_of({0.3, 0.7, 1.1, 1.4, 2.2, 3.9}));

  const auto larger = fit_weibull(logs_of({300, 700, 1100, 1400, 2200, 3900}));

  EXPECT_NEAR(larger->shape, model->shape, tolerance::weibull_fit * model->shape);
  EXPECT_NEAR(larger->log_scale, model->log_scale + std::log(1000.0), tolerance::weibull_fit * larger->log_scale);
}

/// weibull_min.fit(tail - tail.min() + 10000, floc=0) and .cdf of SciPy 1.17.1, with an optimizer that goes on to 1e-13.
TEST(WeibullTail, OfOpenmaxAgreesWithSciPy) {
  std::vector<double> distances;
  std::uint32_t state = 12345;
  for (int i = 0; i < 60; ++i) {
    state = (state * 1103515245u + 12345u) % (1u << 31);
    distances.push_back(1 + (state % 1000) / 256.0);
  }
  const auto tail = WeibullTail::fit_high(distances, 20);

  ASSERT_TRUE(tail.fitted());
  EXPECT_EQ(tail.smallest(), 3.75390625);
  EXPECT_NEAR(tail.shape(), 30636.37164228609, 30636 * tolerance::scipy_weibull);
  EXPECT_NEAR(tail.scale(), 10000.564205271063, 10000 * tolerance::scipy_weibull);
  const std::vector<std::pair<double, double>> expected{{3.8, 0.18493359541192644}, {4.2, 0.5016232480190985},
                                                        {4.6, 0.9066639188832148}, {4.9, 0.9973809762986864}, {5.5, 1}};
  for (const auto& [distance, probability] : expected)
    EXPECT_NEAR(tail.cdf(distance), probability, tolerance::scipy_weibull) << distance;
}

TEST(Weibull, FitIsUndefinedForDegenerateSamples) {
  EXPECT_FALSE(fit_weibull({}));
  EXPECT_FALSE(fit_weibull(std::vector<double>{1}));
  EXPECT_FALSE(fit_weibull(std::vector<double>{2, 2, 2}));
  EXPECT_FALSE(fit_weibull(std::vector<double>{0, -std::numeric_limits<double>::infinity()}));
}

TEST(Weibull, FitHoldsForAlmostEqualAndForFarScatteredSamples) {
  const auto almost_equal = fit_weibull(std::vector<double>{1, 1, 1, std::nextafter(1.0, 2.0)});
  const auto scattered = fit_weibull(std::vector<double>{-700, -1, 0, 700});
  const auto two = fit_weibull(std::vector<double>{0, 1});

  EXPECT_TRUE(std::isfinite(almost_equal->shape));
  EXPECT_TRUE(std::isfinite(scattered->log_scale));
  // Two values: sigma = 1/2 tanh(1 / (2 sigma)) by symmetry of the equation.
  const double sigma = 1 / two->shape;
  EXPECT_NEAR(sigma, 0.5 * std::tanh(0.5 / sigma), tolerance::weibull_fit);
}

const std::vector<double> tail_distances{10, 10.5, 11.25, 12, 12.125, 13.5, 14, 15.75, 17, 21};

TEST(WeibullTail, AgreesWithFortyDigitArithmetic) {
  std::vector<double> distances{1, 2, 3, 9.75};  // not in the tail
  distances.insert(distances.end(), tail_distances.rbegin(), tail_distances.rend());

  const WeibullTail tail = WeibullTail::fit_high(distances, tail_distances.size());

  EXPECT_EQ(tail.smallest(), 10);
  EXPECT_NEAR(tail.shape(), 2731.7130809008112753, tolerance::weibull_fit * 2731);
  EXPECT_NEAR(tail.scale(), 10005.456001362181242, tolerance::weibull_fit * 10005);
  EXPECT_NEAR(tail.cdf(5), 0.055864844664258631702, tolerance::weibull_tail);
  EXPECT_NEAR(tail.cdf(10), 0.20177831294008434583, tolerance::weibull_tail);
  EXPECT_NEAR(tail.cdf(12.5), 0.35989122745246093851, tolerance::weibull_tail);
  EXPECT_NEAR(tail.cdf(17), 0.78221935877798976052, tolerance::weibull_tail);
  EXPECT_EQ(tail.cdf(100), 1);
}

TEST(WeibullTail, IncreasesWithTheDistance) {
  const WeibullTail tail = WeibullTail::fit_high(tail_distances, 20);

  double last = 0;
  for (double distance = 0; distance < 40; distance += 0.25) {
    EXPECT_GE(tail.cdf(distance), last) << distance;
    last = tail.cdf(distance);
  }
  EXPECT_EQ(tail.cdf(-1e5), 0);
  EXPECT_EQ(last, 1);
}

TEST(WeibullTail, IsZeroWhenTheTailIsDegenerate) {
  const std::vector<double> equal(20, 3.0);
  const std::vector<double> infinite{1, 2, std::numeric_limits<double>::infinity()};

  for (const auto& distances : {std::vector<double>{}, std::vector<double>{5}, equal, infinite}) {
    const WeibullTail tail = WeibullTail::fit_high(distances, 20);

    EXPECT_FALSE(tail.fitted());
    EXPECT_EQ(tail.cdf(1000), 0);
  }
}

}  // namespace
