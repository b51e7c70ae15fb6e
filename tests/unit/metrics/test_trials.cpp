#include "src/core/error.hpp"
#include "src/metrics/trials.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using bcr::metrics::summarise_trials;

TEST(Trials, GiveMeanAndSampleDeviation) {
  const std::vector<double> values{2, 4, 4, 4, 5, 5, 7, 9};

  const auto summary = summarise_trials(values);

  EXPECT_EQ(summary.trials, 8u);
  EXPECT_EQ(summary.mean, 5);
  EXPECT_DOUBLE_EQ(*summary.deviation, std::sqrt(32.0 / 7));
}

TEST(Trials, LeaveTheDeviationOfOneTrialUndefined) {
  const std::vector<double> one{0.9};

  EXPECT_EQ(summarise_trials(one).mean, 0.9);
  EXPECT_FALSE(summarise_trials(one).deviation.has_value());
}

TEST(Trials, LoseNoDigitsToALargeOffset) {
  const std::vector<double> values{1e9 + 1, 1e9 + 2, 1e9 + 3};

  EXPECT_EQ(summarise_trials(values).mean, 1e9 + 2);
  EXPECT_EQ(*summarise_trials(values).deviation, 1);
}

TEST(Trials, RefuseNothingAndWhatIsNotFinite) {
  const std::vector<double> infinite{1, std::numeric_limits<double>::infinity()};

  EXPECT_THROW(summarise_trials({}), bcr::ShapeError);
  EXPECT_THROW(summarise_trials(infinite), bcr::NumericsError);
}

}  // namespace
