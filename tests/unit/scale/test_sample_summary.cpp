#include "src/scale/point/sample_summary.hpp"

#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bcr::scale {
namespace {

/// P(Bin(n, 1/2) < k) by Pascal's triangle.
double binomial_below(const std::size_t n, const std::size_t k) {
  std::vector<double> row{1};
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> next(row.size() + 1, 0);
    for (std::size_t j = 0; j < row.size(); ++j) {
      next[j] += row[j] / 2;
      next[j + 1] += row[j] / 2;
    }
    row = next;
  }
  double sum = 0;
  for (std::size_t i = 0; i < k; ++i) sum += row[i];
  return sum;
}

std::vector<double> first_numbers(const std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = count; i > 0; --i) values.push_back(double(i));  // not sorted
  return values;
}

TEST(SampleSummary, OfTenLiesBetweenTheSecondAndTheNinth) {
  const SampleSummary summary = summarise(first_numbers(10));

  EXPECT_EQ(summary.count, 10U);
  EXPECT_EQ(summary.median, 5.5);
  EXPECT_EQ(summary.low, 2);
  EXPECT_EQ(summary.high, 9);
  EXPECT_NEAR(summary.coverage, 1 - 2 * 11.0 / 1024, test::tolerance::log_gamma_sum);
  EXPECT_EQ(summary.mean, 5.5);
  EXPECT_NEAR(summary.deviation, std::sqrt(82.5 / 9), test::tolerance::few_operations);
  EXPECT_EQ(summary.least, 1);
  EXPECT_EQ(summary.most, 10);
}

TEST(SampleSummary, CoverageIsThatOfTheBinomialLaw) {
  for (std::size_t n = 1; n <= 40; ++n) {
    for (std::size_t k = 1; k <= (n + 1) / 2; ++k) {
      EXPECT_NEAR(median_interval_coverage(n, k), 1 - 2 * binomial_below(n, k), test::tolerance::log_gamma_sum)
          << n << " " << k;
    }
  }
}

TEST(SampleSummary, TakesTheNarrowestIntervalThatCovers95Percent) {
  for (std::size_t n = 6; n <= 60; ++n) {
    const SampleSummary summary = summarise(first_numbers(n));
    const auto k = static_cast<std::size_t>(summary.low);
    EXPECT_EQ(summary.high, double(n + 1 - k));
    EXPECT_GE(1 - 2 * binomial_below(n, k), 0.95) << n;
    EXPECT_LT(1 - 2 * binomial_below(n, k + 1), 0.95) << n;
  }
}

TEST(SampleSummary, OfFewSaysWhatItsRangeIsWorth) {
  EXPECT_EQ(summarise({3}).median, 3);
  EXPECT_EQ(summarise({3}).coverage, 0);
  EXPECT_EQ(summarise({3}).deviation, 0);
  const SampleSummary five = summarise({5, 1, 4, 2, 3});
  EXPECT_EQ(five.low, 1);
  EXPECT_EQ(five.high, 5);
  EXPECT_NEAR(five.coverage, 1 - 2.0 / 32, test::tolerance::log_gamma_sum);
  EXPECT_EQ(summarise({}).count, 0U);
}

TEST(SampleSummary, IsNotMovedByOneOutlier) {
  std::vector<double> values = first_numbers(11);
  const SampleSummary before = summarise(values);
  values.front() = 1e6;

  const SampleSummary after = summarise(values);

  EXPECT_EQ(after.median, before.median);
  EXPECT_EQ(after.high, before.high);
  EXPECT_GT(after.mean, 1e4);
}

TEST(SampleSummary, WorksForThousands) {
  const SampleSummary summary = summarise(first_numbers(4001));

  EXPECT_EQ(summary.median, 2001);
  // The normal law: n / 2 - 1.96 sqrt(n) / 2.
  EXPECT_NEAR(summary.low, 2000.5 - 0.98 * std::sqrt(4001.0), 2);
}

}  // namespace
}  // namespace bcr::scale
