#include "tests/support/exec_spaces.hpp"
#include "tests/support/loss_run.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

// Central differences of fourth order in double: (8 (L(+h) - L(-h)) - (L(+2h) - L(-2h))) / 12 h.
namespace bcr::test {
namespace {

template <class Exec>
class LossGradients : public ::testing::Test {};
TYPED_TEST_SUITE(LossGradients, ExecSpaces);

/// `entry` belongs to the batch.
template <class Exec>
double slope(LossProblem<Exec, double>& problem, const LossBatch& batch, const double lambda, double& entry,
             const double step) {
  const double centre = entry;
  const auto at = [&](const double steps) {
    entry = centre + steps * step;
    problem.refill(batch);
    entry = centre;
    return problem.run(lambda).parts[LossPart::total];
  };
  return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step);
}

/// `relative_step` times the entry is the step of an output.
template <class Exec>
void expect_slopes(const LossOptions& options, LossBatch batch, const double lambda, const double relative_step) {
  LossProblem<Exec, double> problem(options, batch);
  const LossRun<double> run = problem.run(lambda);
  double largest = 0;
  for (const double entry : run.diff_outputs) largest = std::max(largest, std::abs(entry));
  for (std::size_t k = 0; k < run.diff_outputs.size(); ++k) {
    double& entry = batch.outputs.entries[k];
    const double found = slope<Exec>(problem, batch, lambda, entry, relative_step * (std::abs(entry) + 1e-9));
    EXPECT_NEAR(run.diff_outputs[k], found, tolerance::loss_difference * largest) << options.name << " " << k;
  }
  if (options.name != "objectosphere") return;
  for (int i = 0; i < batch.rows(); ++i) {
    for (int d = 0; d < batch.features.columns; ++d) {
      const double found = slope<Exec>(problem, batch, lambda, batch.features(i, d), 1e-3);
      EXPECT_NEAR(run.diff_features_factor[i] * batch.features(i, d), found, tolerance::loss_difference) << i << d;
    }
  }
}

TYPED_TEST(LossGradients, AgreeWithCentralDifferencesForEveryLoss) {
  for (const losses::LossEntry& info : losses::row_losses()) {
    LossOptions options = loss_options(std::string(info.name));
    options.energy = {-3, -2};
    options.objectosphere = {3, 0.25};
    options.logit_scale = 0.5;
    expect_slopes<TypeParam>(options, random_batch(options, usual_outputs(options.name), 5, 4, 3, 6, 9), 0.7, 1e-4);
  }
}

TYPED_TEST(LossGradients, AgreeForTheOtherSettings) {
  LossOptions options = loss_options("class_inclusion");
  options.inclusion.terms = losses::InclusionTerms::unknown;
  expect_slopes<TypeParam>(options, random_batch(options, HeadOutputs::squared_distances, 4, 4, 3, 8, 2), 5, 1e-4);
  options.inclusion.terms = losses::InclusionTerms::known;
  expect_slopes<TypeParam>(options, random_batch(options, HeadOutputs::squared_distances, 4, 4, 3, 8, 2), 5, 1e-4);
  options.inclusion.terms = losses::InclusionTerms::both;
  options.inclusion.numerics = losses::InclusionNumerics::naive_eps;
  options.inclusion.eps = 1e-3;
  expect_slopes<TypeParam>(options, random_batch(options, HeadOutputs::squared_distances, 4, 4, 3, 8, 2), 5, 1e-4);
  options = loss_options("triplet");
  options.triplet = {0.5, losses::TripletDistance::squared};
  expect_slopes<TypeParam>(options, random_batch(options, HeadOutputs::squared_distances, 5, 4, 3, 8, 2), 1, 1e-4);
}

/// One known row whose class is nearest, one background row; other anchors so far that they add nothing.
LossBatch at_distance(const int n, const double squared_distance) {
  LossBatch batch{HeadOutputs::squared_distances, 2, HostMatrix<double>(2, 2), HostMatrix<double>(2, n), {0}};
  batch.outputs.entries = {squared_distance, 3 * squared_distance + 100, squared_distance, 3 * squared_distance + 100};
  return batch;
}

/// The slope of one row at a time, each judged by itself: they differ by many orders of magnitude.
template <class Exec>
void expect_slopes_at(LossProblem<Exec, double>& problem, LossBatch batch, const std::string& what) {
  problem.refill(batch);
  const LossRun<double> run = problem.run(1);
  double& entry = batch.outputs(0, 0);
  // Small against what changes a power x^(n/2) and an exponential e^-x.
  const double step = std::min(entry * std::min(1e-3, 0.01 / (batch.features.columns + 2)), 0.04);

  const double found = slope<Exec>(problem, batch, 1, entry, step);

  // The value is rounded to its last digits, and the step divides that error; tails below 1e-280 lose digits.
  const double rounding = 8 * tolerance::eps * std::abs(run.parts[LossPart::total]) / step + 1e-280;
  EXPECT_NEAR(run.diff_outputs[0], found, tolerance::loss_tail_difference * std::abs(found) + rounding) << what;
  EXPECT_TRUE(std::isfinite(run.diff_outputs[0])) << what;
}

TYPED_TEST(LossGradients, AgreeFromNextToTheAnchorToFarAway) {
  for (const std::string name : {"class_inclusion", "hsc"}) {
    for (const int n : {3, 128, 640}) {
      for (const auto terms : {losses::InclusionTerms::known, losses::InclusionTerms::unknown}) {
        LossOptions options = loss_options(name);
        options.inclusion.terms = terms;
        LossBatch batch = at_distance(n, n);
        if (terms == losses::InclusionTerms::unknown) batch.labels.clear();
        LossProblem<TypeParam, double> problem(options, batch);
        for (const double ratio : {1.01e-6, 1e-4, 1e-2, 0.05, 0.5, 0.9, 1.0, 1.1, 2.0, 5.0, 100.0, 1e3}) {
          batch.outputs = at_distance(n, ratio * n).outputs;
          expect_slopes_at(problem, batch, name + " n=" + std::to_string(n) + " D^2/n=" + std::to_string(ratio));
        }
      }
    }
  }
}

/// At a corner the gradient is one of the two one-sided slopes.
TYPED_TEST(LossGradients, AtCornersAreOneOfTheSlopesBesideThem) {
  LossOptions options = loss_options("triplet");
  LossBatch batch{HeadOutputs::squared_distances, 1, HostMatrix<double>(2, 1), HostMatrix<double>(2, 4), {0}};
  batch.outputs.entries = {1, 4};  // 1 - 2 + 1 = 0
  EXPECT_EQ((run_loss<TypeParam, double>(options, batch, 1).diff_outputs), (std::vector<double>{0, 0}));
  batch.outputs.entries = {1.0001, 4};
  EXPECT_GT((run_loss<TypeParam, double>(options, batch, 1).diff_outputs[0]), 0);

  options = loss_options("energy");
  options.energy = {-1, -1};
  LossBatch logits{HeadOutputs::logits, 1, HostMatrix<double>(2, 1), HostMatrix<double>(2, 4), {0}};
  logits.outputs.entries = {1, 1};  // E = -1 for both: on both margins
  EXPECT_EQ((run_loss<TypeParam, double>(options, logits, 1).diff_outputs), (std::vector<double>{0, 0}));
  logits.outputs.entries = {1 - 1e-6, 1 + 1e-6};  // squared hinges have no jump in their slope
  EXPECT_NEAR((run_loss<TypeParam, double>(options, logits, 1).diff_outputs[0]), -2e-6, 1e-12);
  EXPECT_NEAR((run_loss<TypeParam, double>(options, logits, 1).diff_outputs[1]), 2e-6, 1e-12);

  options = loss_options("objectosphere");
  options.objectosphere = {2, 1};
  for (double& x : logits.features.entries) x = 1;  // ||f|| = 2 = xi
  EXPECT_EQ((run_loss<TypeParam, double>(options, logits, 1).diff_features_factor), (std::vector<double>{0, 2}));
  for (double& x : logits.features.entries) x = 0;
  EXPECT_EQ((run_loss<TypeParam, double>(options, logits, 1).diff_features_factor), (std::vector<double>{0, 2}));
}

TYPED_TEST(LossGradients, AnEqualDistanceChoosesTheLowestClass) {
  LossBatch batch{HeadOutputs::squared_distances, 3, HostMatrix<double>(2, 3), HostMatrix<double>(2, 4), {1}};
  batch.outputs.entries = {4, 4, 5, 6, 3, 3};

  const auto run = run_loss<TypeParam, double>(loss_options("class_inclusion"), batch, 1);

  EXPECT_EQ(run.parts[LossPart::background_known], 0);  // class 0 is nearest by the rule, and y = 1
  EXPECT_LT(run.diff_outputs[4], 0);
  EXPECT_EQ(run.diff_outputs[5], 0);
}

}  // namespace
}  // namespace bcr::test
