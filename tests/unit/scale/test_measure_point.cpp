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

/// The parts of a step that take time, and no others, have work.
void expect_parts(const PointOptions& options, const std::vector<std::string>& busy) {
  comm::SerialCommunicator ranks;
  const auto point = measure_point(options, ranks, quiet, never);
  ASSERT_TRUE(point.has_value());
  std::vector<std::string> working;
  for (const RegionTimes& region : point->regions)
    if (region.multiply_accumulates > 0) working.push_back(region.name);
  EXPECT_EQ(working, busy) << problem_name(options);
  for (const std::string& name : busy) EXPECT_GT(point->region(name)->summary().median, 0) << name;
  EXPECT_TRUE(std::isfinite(point->loss));
  EXPECT_GE(point->device_bytes, point->kind == "cpu" ? 1 : 0);
}

TEST(MeasurePoint, TimesInferenceHeadsLossesAndTexts) {
  const PointOptions tiny{.image = 8, .tokens = 7, .classes = 3, .batch = 4, .warmup = 1, .repetitions = 10};
  PointOptions options = tiny;
  options.work = PointWork::inference;
  expect_parts(options, {"forward"});
  options.backbone = "gru";
  expect_parts(options, {"forward"});
  options.work = PointWork::training;
  expect_parts(options, {"forward", "head", "backward", "update"});
  for (const PointWork work : {PointWork::head, PointWork::loss}) {
    for (const std::string loss : {"class_inclusion", "energy", "background_class"}) {
      options = tiny;
      options.work = work;
      options.loss = loss;
      expect_parts(options, {"head"});
    }
  }
}

TEST(MeasurePoint, HasANameForEveryProblem) {
  PointOptions options{.work = PointWork::inference, .batch = 64};
  EXPECT_EQ(problem_name(options), "infer wrn-10-1 32x32x3 batch 64 classes 10");
  options.backbone = "gru";
  options.work = PointWork::training;
  options.loss = "energy";
  EXPECT_EQ(problem_name(options), "train gru-10002-50-128-2 100 tokens batch 64 classes 10 loss energy");
  EXPECT_NE(point_key(options, {1, 1}), point_key({.backbone = "gru", .batch = 64}, {1, 1}));
}

TEST(MeasurePoint, EndsWhenAskedAndRefusesWhatCannotWork) {
  comm::SerialCommunicator ranks;
  EXPECT_FALSE(measure_point({.image = 8, .batch = 4}, ranks, quiet, [] { return true; }).has_value());
  EXPECT_THROW(measure_point({.depth = 11}, ranks, quiet, never), ConfigError);
  EXPECT_THROW(measure_point({.batch = 5}, ranks, quiet, never), ConfigError);
  EXPECT_THROW(measure_point({.work = PointWork::head, .shards = 2}, ranks, quiet, never), ConfigError);
}

}  // namespace
}  // namespace bcr::scale
