#include "src/core/error.hpp"
#include "src/optim/learning_rate.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using bcr::optim::WarmupCosine;
namespace tolerance = bcr::test::tolerance;

TEST(WarmupCosine, RisesLinearlyToTheRateThenFallsToTheMinimum) {
  const WarmupCosine schedule({.rate = 0.1, .minimum = 1e-6, .warmup_steps = 5, .total_steps = 25});

  for (int t = 0; t < 5; ++t) EXPECT_NEAR(schedule(t), 0.1 * (t + 1) / 5, tolerance::eps);
  EXPECT_EQ(schedule(4), 0.1);
  for (int t = 5; t < 25; ++t) {
    const double expected = 1e-6 + (0.1 - 1e-6) * 0.5 * (1 + std::cos(M_PI * (t - 4) / 20.0));
    EXPECT_NEAR(schedule(t), expected, tolerance::eps) << t;
  }
  EXPECT_EQ(schedule(24), 1e-6);
  EXPECT_EQ(schedule(1000), 1e-6);
}

TEST(WarmupCosine, WithoutWarmupIsThePerIterationCosineOfOutlierExposure) {
  // There the schedule is advanced before the step: step 1 uses t = 1 of T.
  const WarmupCosine schedule({.rate = 0.1, .minimum = 1e-6, .warmup_steps = 0, .total_steps = 10});

  for (int t = 1; t <= 10; ++t) {
    const double expected = 1e-6 + (0.1 - 1e-6) * 0.5 * (1 + std::cos(M_PI * t / 10.0));
    EXPECT_NEAR(schedule(t - 1), expected, tolerance::eps) << t;
  }
}

TEST(WarmupCosine, HeldForAnEpochIsThatOfPyTorchCalledAfterEachEpoch) {
  const WarmupCosine schedule({.rate = 0.01, .minimum = 0, .warmup_steps = 0, .total_steps = 5 * 7, .steps_held = 7});
  const WarmupCosine warmed({.rate = 0.01, .minimum = 0, .warmup_steps = 7, .total_steps = 6 * 7, .steps_held = 7});

  for (int t = 0; t < 5 * 7; ++t) {
    const double expected = 0.01 * 0.5 * (1 + std::cos(M_PI * (t / 7) / 5.0));
    EXPECT_NEAR(schedule(t), expected, tolerance::eps) << t;
    EXPECT_EQ(warmed(7 + t), schedule(t)) << t;
  }
  EXPECT_EQ(schedule(0), 0.01);
}

TEST(WarmupCosine, HasTheseBitsOnEveryHost) {
  const WarmupCosine schedule({.rate = 0.1, .minimum = 1e-6, .warmup_steps = 1175, .total_steps = 23500});

  EXPECT_EQ(schedule(2000), 0x1.9837d3f790d9ep-4);
  EXPECT_EQ(schedule(12345), 0x1.991d3a126083cp-5);
  EXPECT_EQ(schedule(23000), 0x1.04812d131a944p-13);
}

TEST(WarmupCosine, MayBeAllWarmup) {
  const WarmupCosine schedule({.rate = 1, .minimum = 0, .warmup_steps = 4, .total_steps = 4});

  EXPECT_EQ(schedule(0), 0.25);
  EXPECT_EQ(schedule(3), 1);
  EXPECT_EQ(schedule(9), 1);
}

TEST(WarmupCosine, RefusesWhatIsNoSchedule) {
  EXPECT_THROW(WarmupCosine({.rate = 0.1, .minimum = 0.2, .warmup_steps = 0, .total_steps = 1}), bcr::ConfigError);
  EXPECT_THROW(WarmupCosine({.rate = 0.1, .minimum = -1, .warmup_steps = 0, .total_steps = 1}), bcr::ConfigError);
  EXPECT_THROW(WarmupCosine({.rate = 0.1, .minimum = 0, .warmup_steps = 0, .total_steps = 0}), bcr::ConfigError);
  EXPECT_THROW(WarmupCosine({.rate = 0.1, .minimum = 0, .warmup_steps = 3, .total_steps = 2}), bcr::ConfigError);
}

}  // namespace
