#include "kernels/gamma/inclusion_plan.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/loss_run.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bcr::test {
namespace {

template <class Exec>
class LossInvariants : public ::testing::Test {};
TYPED_TEST_SUITE(LossInvariants, ExecSpaces);

constexpr double infinity = std::numeric_limits<double>::infinity();

/// One known row that is right, and one background row, both at D^2 from their nearest of two anchors.
LossBatch one_of_each(const int n, const double squared_distance) {
  LossBatch batch{HeadOutputs::squared_distances, 2, HostMatrix<double>(2, 2), HostMatrix<double>(2, n), {0}};
  batch.outputs.entries = {squared_distance, 2 * squared_distance, 3 * squared_distance, squared_distance};
  return batch;
}

/// The background term alone at one distance: the difference of lambda = 1 and lambda = 0 leaves no cross-entropy.
struct Slopes {
  double known_value, background_value, known, background;
};
template <class Exec, class T>
struct SlopeMeter {
  SlopeMeter(const LossOptions& options, const int n_) : n(n_), problem(options, one_of_each(n_, n_)) {}

  Slopes operator()(const double squared_distance) {
    problem.refill(one_of_each(n, squared_distance));
    const LossRun<T> without = problem.run(0);
    const LossRun<T> with = problem.run(1);
    return {with.parts[LossPart::background_known], with.parts[LossPart::background_unknown],
            double(with.diff_outputs[0]) - double(without.diff_outputs[0]), double(with.diff_outputs[3])};
  }

  int n;
  LossProblem<Exec, T> problem;
};

TYPED_TEST(LossInvariants, DistanceSoftmaxIsALinearSoftmaxWithTwiceTheScaledAnchors) {
  const int known = 9, C = 5, n = 6;
  const double s = 0.75;
  const auto f = random_reals<double>(known, n, -1, 1, 1);
  const auto mu = random_reals<double>(C, n, -1, 1, 2);
  LossBatch distances{HeadOutputs::squared_distances, C, HostMatrix<double>(known, C), f, {0, 1, 2, 3, 4, 0, 1, 2, 3}};
  LossBatch linear = distances;
  linear.outputs_are = HeadOutputs::logits;
  for (int i = 0; i < known; ++i) {
    for (int c = 0; c < C; ++c) {
      double squared = 0, logit = 0;
      for (int d = 0; d < n; ++d) {
        squared += (f(i, d) - mu(c, d)) * (f(i, d) - mu(c, d));
        logit += 2 * s * mu(c, d) * f(i, d) - s * mu(c, d) * mu(c, d);
      }
      distances.outputs(i, c) = squared;
      linear.outputs(i, c) = logit;
    }
  }
  LossOptions options = loss_options("none");
  options.logit_scale = s;

  const auto by_distance = run_loss<TypeParam, double>(options, distances, 0);
  const auto by_logits = run_loss<TypeParam, double>(options, linear, 0);

  EXPECT_NEAR(by_distance.parts[LossPart::total], by_logits.parts[LossPart::total], tolerance::loss<double>());
  EXPECT_EQ(by_distance.parts[LossPart::accuracy], by_logits.parts[LossPart::accuracy]);
  for (int k = 0; k < known * C; ++k)
    EXPECT_NEAR(by_distance.diff_outputs[k], -s * by_logits.diff_outputs[k], tolerance::loss<double>());
}

TYPED_TEST(LossInvariants, EntropicIsUniformityWithWeightOneToTheLastBit) {
  const LossBatch batch = random_batch(loss_options("entropic"), HeadOutputs::logits, 13, 11, 7, 9, 4);

  const auto entropic = run_loss<TypeParam, float>(loss_options("entropic"), batch, 1);
  const auto uniformity = run_loss<TypeParam, float>(loss_options("uniformity"), batch, 1);

  EXPECT_EQ(entropic.parts.values, uniformity.parts.values);
  EXPECT_TRUE(same_bits(entropic.diff_outputs, uniformity.diff_outputs));
}

TYPED_TEST(LossInvariants, ClassInclusionApproachesItsHingesInManyDimensions) {
  for (const int n : {128, 256, 512, 640, 1024}) {
    SlopeMeter<TypeParam, double> slopes_at(loss_options("class_inclusion"), n);
    for (const double ratio : {2.0, 3.0, 10.0, 1000.0}) {
      const Slopes slopes = slopes_at(ratio * n);
      EXPECT_NEAR(slopes.known, 0.5 * (1 - 1 / ratio), tolerance::inclusion_pull_limit) << n << " " << ratio;
    }
    for (const double ratio : {0.5, 0.3, 0.1, 0.01}) {
      const Slopes slopes = slopes_at(ratio * n);
      EXPECT_NEAR(slopes.background, -0.5 * (1 / ratio - 1), tolerance::inclusion_push_limit) << n << " " << ratio;
    }
  }
}

template <class Exec, class T>
void expect_finite_everywhere(const std::string& name) {
  for (const int n : {1, 2, 3, 128, 1024}) {
    SlopeMeter<Exec, T> slopes_at(loss_options(name), n);
    for (double ratio = 1e-6; ratio < 1.1e3; ratio *= 10) {
      const Slopes slopes = slopes_at(ratio * n);
      EXPECT_TRUE(std::isfinite(slopes.known_value) && std::isfinite(slopes.background_value)) << n << " " << ratio;
      EXPECT_TRUE(std::isfinite(slopes.known) && std::isfinite(slopes.background)) << n << " " << ratio;
      EXPECT_LE(slopes.background, 0) << n << " " << ratio;
    }
    const Slopes at_the_anchor = slopes_at(0);
    EXPECT_TRUE(std::isfinite(at_the_anchor.background_value) && std::isfinite(at_the_anchor.background)) << n;
  }
}

TYPED_TEST(LossInvariants, DistanceTermsAreFiniteFromTheAnchorToFarAway) {
  for (const std::string name : {"class_inclusion", "hsc", "triplet"}) {
    expect_finite_everywhere<TypeParam, float>(name);
    expect_finite_everywhere<TypeParam, double>(name);
  }
}

LossOptions as_written(const double eps) {
  LossOptions options = loss_options("class_inclusion");
  options.inclusion.numerics = losses::InclusionNumerics::naive_eps;
  options.inclusion.eps = eps;
  return options;
}

TYPED_TEST(LossInvariants, AsWrittenAgreesNearTheBoundary) {
  for (const int n : {128, 640}) {
    SlopeMeter<TypeParam, float> naive_at(as_written(0), n), right_at(loss_options("class_inclusion"), n);
    for (const double ratio : {0.85, 0.9, 1.0, 1.1, 1.25}) {
      const Slopes naive = naive_at(ratio * n);
      const Slopes right = right_at(ratio * n);
      EXPECT_NEAR(naive.background_value / right.background_value, 1, tolerance::naive_inclusion) << n << " " << ratio;
      EXPECT_NEAR(naive.background / right.background, 1, tolerance::naive_inclusion) << n << " " << ratio;
    }
  }
}

/// D^2 below which 1 - Q is 0 in float, and beyond which Q is 0: computed with 40 digits.
TYPED_TEST(LossInvariants, AsWrittenIsInfiniteWhereFloatRoundsTheInclusionProbability) {
  const InvalidTrapOff trap_off;
  const struct { int n; double inside, outside; } limits[] = {
      {128, 59.24, 501.1}, {256, 151.6, 719.1}, {512, 357.0, 1105}, {640, 464.6, 1285}, {1024, 797.3, 1801}};
  for (const auto& limit : limits) {
    SlopeMeter<TypeParam, float> slopes_at(as_written(0), limit.n);
    EXPECT_EQ(slopes_at(0.99 * limit.inside).background_value, infinity) << limit.n;
    EXPECT_LT(slopes_at(1.01 * limit.inside).background_value, infinity) << limit.n;
    EXPECT_EQ(slopes_at(1.01 * limit.outside).known_value, infinity) << limit.n;
    EXPECT_LT(slopes_at(0.99 * limit.outside).known_value, infinity) << limit.n;
  }
}

TYPED_TEST(LossInvariants, EpsTakesThePushAwayWhereItIsNeededMost) {
  for (const int n : {128, 640}) {
    const double deep = 0.2 * n;
    const Slopes guarded = SlopeMeter<TypeParam, float>(as_written(1e-9), n)(deep);
    const Slopes right = SlopeMeter<TypeParam, float>(loss_options("class_inclusion"), n)(deep);

    EXPECT_LT(right.background, -1.5);  // about (n / D^2 - 1) / 2 = 2
    EXPECT_GT(guarded.background, -1e-3);
  }
}

TYPED_TEST(LossInvariants, NearestAnchorIsFoundByDistanceWhereInclusionSaturates) {
  LossBatch batch = one_of_each(640, 1e-3);  // P_I is 1 for both anchors in any format
  batch.outputs.entries = {2e-3, 1e-3, 2e-3, 1e-3};
  batch.labels = {1};

  const LossRun<float> run = run_loss<TypeParam, float>(loss_options("class_inclusion"), batch, 1);

  EXPECT_EQ(run.parts[LossPart::accuracy], 1);
  EXPECT_EQ(run.diff_outputs[2], 0);
  EXPECT_LT(run.diff_outputs[3], 0);
}

}  // namespace
}  // namespace bcr::test
