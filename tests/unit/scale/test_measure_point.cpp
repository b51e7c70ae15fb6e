#include "src/scale/measure/measure_point.hpp"

#include "src/comm/communicator.hpp"
#include "src/core/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bcr::scale {
namespace {

const Log quiet(LogLevel::warning);

bool never() {
  return false;
}

TEST(MeasurePoint, TimesEveryPartOfEveryRepetition) {
  comm::SerialCommunicator ranks;
  const PointOptions options{.image = 8, .classes = 3, .batch = 4, .warmup = 1, .repetitions = 10};

  const auto point = measure_point(options, ranks, quiet, never);

  ASSERT_TRUE(point.has_value());
  EXPECT_EQ(point->options, options);
  EXPECT_EQ(point->step_seconds.size(), 10U);
  double parts = 0;
  for (const RegionTimes& region : point->regions) {
    EXPECT_EQ(region.seconds.size(), 10U) << region.name;
    parts += region.summary().median;
  }
  EXPECT_GT(parts, 0);
  EXPECT_GT(point->region("forward")->summary().median, 0);
  EXPECT_GT(point->region("backward")->summary().median, 0);
  EXPECT_GT(point->share_of_peak(), 0);
  EXPECT_GT(point->share_of_bandwidth(), 0);
  EXPECT_GT(point->resident_bytes, point->model_bytes);
  EXPECT_GT(point->parameters, 70000);  // of a wrn-10-1
  EXPECT_TRUE(std::isfinite(point->loss));
}

TEST(MeasurePoint, TimesShardsOneByOneAndSideBySide) {
  comm::SerialCommunicator ranks;
  for (const auto scope : {train::BatchNormScope::shard, train::BatchNormScope::global}) {
    const auto point =
        measure_point({.image = 8, .batch = 8, .shards = 2, .batch_norm = scope, .warmup = 1, .repetitions = 10}, ranks,
                      quiet, never);
    ASSERT_TRUE(point.has_value());
    EXPECT_EQ(point->step_seconds.size(), 10U);
    EXPECT_EQ(point->message_bytes, 0);
    EXPECT_TRUE(std::isfinite(point->loss));
  }
}

TEST(MeasurePoint, EndsWhenAskedAndRefusesWhatCannotWork) {
  comm::SerialCommunicator ranks;
  EXPECT_FALSE(measure_point({.image = 8, .batch = 4}, ranks, quiet, [] { return true; }).has_value());
  EXPECT_THROW(measure_point({.depth = 11}, ranks, quiet, never), ConfigError);
  EXPECT_THROW(measure_point({.batch = 5}, ranks, quiet, never), ConfigError);
}

}  // namespace
}  // namespace bcr::scale
