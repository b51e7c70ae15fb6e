#include "src/scale/study/rank_model.hpp"

#include "src/core/error.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace bcr::scale {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double near = test::tolerance::few_operations;
constexpr ComputeModel linear{.fixed = 0, .per_image = 1e-3, .backward_share = 0.5};
constexpr double gradient = 4e6;

TEST(RankModel, OneRankIsPerfect) {
  for (const Growth growth : {Growth::strong, Growth::weak}) {
    const auto points = predict({.fixed = 0.01, .per_image = 1e-3}, {}, gradient, 256, growth);
    EXPECT_EQ(points.front().ranks, 1);
    EXPECT_EQ(points.front().efficiency, 1);
    EXPECT_NEAR(points.front().seconds, 0.266, near);
  }
}

TEST(RankModel, AnInfinitelyFastNetworkLosesNothing) {
  const NetworkOptions network{.latency_us = 0, .bandwidth_gbs = infinity};
  for (const Growth growth : {Growth::strong, Growth::weak}) {
    for (const PredictedPoint& point : predict(linear, network, gradient, 4096, growth))
      EXPECT_NEAR(point.efficiency, 1, near) << point.ranks;
  }
}

TEST(RankModel, FixedTimeIsAmdahlsLaw) {
  const NetworkOptions network{.latency_us = 0, .bandwidth_gbs = infinity};
  const ComputeModel compute{.fixed = 0.1, .per_image = 0.9 / 1024};
  for (const PredictedPoint& point : predict(compute, network, gradient, 1024, Growth::strong))
    EXPECT_NEAR(point.efficiency, 1 / (point.ranks * 0.1 + 0.9), near) << point.ranks;
}

TEST(RankModel, ExchangeMovesTwiceTheGradientAtMost) {
  const NetworkOptions network{.latency_us = 0, .bandwidth_gbs = 1};
  EXPECT_EQ(join_seconds(network, gradient, 1), 0);
  EXPECT_NEAR(join_seconds(network, gradient, 2), gradient * 1e-9, near);
  EXPECT_NEAR(join_seconds(network, gradient, 1 << 20), 2 * gradient * 1e-9,
              test::tolerance::many_ranks * gradient * 1e-9);
  EXPECT_NEAR(join_seconds({.latency_us = 3, .bandwidth_gbs = infinity}, gradient, 5), 2 * 4 * 3e-6, near);
}

TEST(RankModel, TreeHasTwiceItsHeight) {
  const NetworkOptions network{.latency_us = 1, .bandwidth_gbs = infinity, .join = Join::tree};
  EXPECT_EQ(join_seconds(network, gradient, 1), 0);
  EXPECT_NEAR(join_seconds(network, gradient, 2), 2e-6, near);
  EXPECT_NEAR(join_seconds(network, gradient, 3), 4e-6, near);
  EXPECT_NEAR(join_seconds(network, gradient, 4), 4e-6, near);
  EXPECT_NEAR(join_seconds(network, gradient, 1024), 20e-6, near);
}

TEST(RankModel, EfficiencyFallsWithRanksAndReachesAsFarAsAsked) {
  for (const Join join : {Join::exchange, Join::tree}) {
    const auto points =
        predict(linear, {.latency_us = 2, .bandwidth_gbs = 10, .join = join}, gradient, 4096, Growth::strong);
    EXPECT_EQ(points.back().ranks, 1024);
    for (std::size_t i = 1; i < points.size(); ++i) EXPECT_LT(points[i].efficiency, points[i - 1].efficiency);
  }
}

TEST(RankModel, EveryRankNeedsAnImage) {
  EXPECT_EQ(predict(linear, {}, gradient, 48, Growth::strong).back().ranks, 32);
  EXPECT_EQ(predict(linear, {}, gradient, 48, Growth::weak).back().ranks, 1024);
}

TEST(RankModel, OverlapHidesMessagesBehindTheBackwardPassAlone) {
  NetworkOptions network{.latency_us = 0, .bandwidth_gbs = 0.08, .overlap = 1, .most_ranks = 2};
  // Two ranks: 50 ms of messages; 100 images of 1 ms each, half of that backward.
  EXPECT_NEAR(predict(linear, network, gradient, 100, Growth::weak).back().seconds, 0.1, near);
  network.bandwidth_gbs = 0.04;
  EXPECT_NEAR(predict(linear, network, gradient, 100, Growth::weak).back().seconds, 0.15, near);
  network.overlap = 0;
  EXPECT_NEAR(predict(linear, network, gradient, 100, Growth::weak).back().seconds, 0.2, near);
}

TEST(FitCompute, FindsALine) {
  const std::vector<ComputeSample> samples{{16, 0.01 + 16e-3}, {64, 0.01 + 64e-3}, {256, 0.01 + 256e-3}};

  const ComputeModel model = fit_compute(samples, 0.6);

  EXPECT_NEAR(model.fixed, 0.01, test::tolerance::line_fit);
  EXPECT_NEAR(model.per_image, 1e-3, near);
  EXPECT_EQ(model.backward_share, 0.6);
}

TEST(FitCompute, GoesThroughTheOriginForOneSizeAndNeverBelowZero) {
  EXPECT_NEAR(fit_compute(std::vector<ComputeSample>{{100, 0.2}}, 0).per_image, 2e-3, near);
  EXPECT_EQ(fit_compute(std::vector<ComputeSample>{{100, 0.2}}, 0).fixed, 0);
  EXPECT_EQ(fit_compute(std::vector<ComputeSample>{{100, 0.2}, {100, 0.3}}, 0).fixed, 0);
  const ComputeModel steep = fit_compute(std::vector<ComputeSample>{{10, 0.01}, {100, 0.3}}, 0);
  EXPECT_EQ(steep.fixed, 0);
  EXPECT_GT(steep.per_image, 0);
  const ComputeModel falling = fit_compute(std::vector<ComputeSample>{{10, 0.3}, {100, 0.2}}, 0);
  EXPECT_EQ(falling.per_image, 0);
  EXPECT_GT(falling.fixed, 0.2);
  EXPECT_LT(falling.fixed, 0.3);
  EXPECT_THROW(fit_compute({}, 0), ConfigError);
}

}  // namespace
}  // namespace bcr::scale
