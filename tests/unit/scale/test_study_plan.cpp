#include "src/scale/study/study_plan.hpp"

#include "src/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

StudyOptions read(const std::string& toml) {
  return Config::parse(toml).read<StudyOptions>();
}

TEST(StudyPlan, StrongScalingKeepsTheBatch) {
  const StudyPlan plan = plan_study(read("[base]\nbatch = 32\n[strong]\nthreads = [1, 2, 4]"));

  ASSERT_EQ(plan.sweeps.size(), 1U);
  EXPECT_EQ(plan.sweeps[0].kind, SweepKind::strong_threads);
  ASSERT_EQ(plan.sweeps[0].steps.size(), 3U);
  for (const SweepStep& step : plan.sweeps[0].steps) {
    EXPECT_EQ(step.point.options.batch, 32);
    EXPECT_EQ(step.point.resources, (Resources{1, step.value}));
  }
  EXPECT_EQ(plan.points.size(), 3U);  // the base is the first step
}

TEST(StudyPlan, WeakScalingGrowsIt) {
  const StudyPlan plan = plan_study(
      read("[study]\nthreads_per_rank = 3\n[base]\nbatch = 32\nshards = 2\n[weak]\nthreads = [1, 4]\nranks = [1, 2]"));

  ASSERT_EQ(plan.sweeps.size(), 2U);
  EXPECT_EQ(plan.sweeps[0].steps[1].point.options.batch, 128);
  EXPECT_EQ(plan.sweeps[0].steps[1].point.options.shards, 2);
  EXPECT_EQ(plan.sweeps[1].steps[1].point.options.batch, 64);
  EXPECT_EQ(plan.sweeps[1].steps[1].point.options.shards, 4);
  EXPECT_EQ(plan.sweeps[1].steps[1].point.resources, (Resources{2, 3}));
}

TEST(StudyPlan, AllRanksOfAStrongSweepComputeTheSame) {
  const StudyPlan plan = plan_study(read("[base]\nbatch = 32\n[strong]\nranks = [1, 2, 4]"));

  for (const SweepStep& step : plan.sweeps[0].steps)
    EXPECT_EQ(step.point.options, plan.sweeps[0].steps[0].point.options);
  EXPECT_EQ(plan.sweeps[0].steps[0].point.options.shards, 4);
}

TEST(StudyPlan, SizesVaryOneThingAlone) {
  const StudyPlan plan = plan_study(read(
      "[study]\nthreads = 2\nmodes = [\"strict\", \"fast\"]\n[size]\nbatch = [16, 128]\nimage = [16]\ndepth = [16]\n"
      "width = [2]\nclasses = [2, 21841]"));

  ASSERT_EQ(plan.sweeps.size(), 10U);
  EXPECT_EQ(plan.points.size(), 2U * (1 + 1 + 1 + 1 + 1 + 2));  // a batch of 128 is the base
  EXPECT_EQ(plan.points[0], base_point(read("[study]\nthreads = 2"), nn::Mode::strict));
  EXPECT_EQ(plan.points[1].options.mode, nn::Mode::fast);
  for (const PlannedPoint& point : plan.points) EXPECT_EQ(point.resources, (Resources{1, 2}));
}

TEST(StudyPlan, RefusesWhatCannotWork) {
  EXPECT_THROW(plan_study(read("")), ConfigError);
  EXPECT_THROW(plan_study(read("[strong]\nthreads = [2, 1]")), ConfigError);
  EXPECT_THROW(plan_study(read("[strong]\nthreads = [1, 1]")), ConfigError);
  EXPECT_THROW(plan_study(read("[size]\ndepth = [11]")), ConfigError);
  EXPECT_THROW(plan_study(read("[base]\nbatch = 4\n[strong]\nranks = [1, 4]")), ConfigError);
  EXPECT_THROW(read("[strong]\nthreads = [0]"), ConfigError);
  EXPECT_THROW(read("[size]\nclasses = [21842]"), ConfigError);
  EXPECT_THROW(read("[size]\nclass = [2]"), ConfigError);
}

}  // namespace
}  // namespace bcr::scale
