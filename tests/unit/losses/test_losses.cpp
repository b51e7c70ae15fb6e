#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/loss_run.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace bcr::test {
namespace {

template <class Exec>
class Losses : public ::testing::Test {};
TYPED_TEST_SUITE(Losses, ExecSpaces);

struct LossSizes {
  int known, background, classes, features;
};
constexpr LossSizes all_loss_sizes[] = {{1, 1, 1, 1},   {5, 3, 4, 7},    {0, 6, 3, 5},     {6, 0, 3, 5},
                               {7, 11, 33, 3}, {67, 65, 10, 66}, {3, 4, 701, 128}, {2, 2, 1100, 64}};

/// Magnitude against which entries of a gradient are judged: its largest entry.
double largest(const std::vector<double>& entries) {
  double result = 0;
  for (const double entry : entries) result = std::max(result, std::abs(entry));
  return result;
}

template <class T>
void expect_close(const std::vector<T>& found, const std::vector<double>& expected, const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  const double allowed = tolerance::loss<T>() * largest(expected) + tolerance::denormal<T>();
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], allowed) << what << " " << k;
}

template <class Exec, class T>
void expect_reference(const LossOptions& options, const HeadOutputs outputs, const LossSizes& s, const double lambda) {
  const LossBatch batch = random_batch(options, outputs, s.known, s.background, s.classes, s.features, 5);
  const auto expected = reference::evaluate_loss(options, batch, lambda);

  const LossRun<T> found = run_loss<Exec, T>(options, batch, lambda);

  const std::string what = options.name + " C=" + std::to_string(s.classes);
  const auto near = [&](const LossPart part, const double value) {
    EXPECT_NEAR(found.parts[part], value, tolerance::loss<double>() * (1 + std::abs(value))) << what << int(part);
  };
  near(LossPart::total, double(expected.total));
  near(LossPart::classification, double(expected.classification));
  near(LossPart::background_known, double(expected.background_known));
  near(LossPart::background_unknown, double(expected.background_unknown));
  expect_close(found.diff_outputs, expected.diff_outputs.entries, what);
  expect_close(found.diff_features_factor, expected.diff_features_factor, what);
}

template <class Exec, class T>
void expect_reference_for_all() {
  for (const losses::LossEntry& info : losses::row_losses()) {
    for (const LossSizes& sizes : all_loss_sizes) {
      LossOptions options = loss_options(std::string(info.name));
      options.energy = {-3, -2};
      options.objectosphere = {3, 0.25};
      expect_reference<Exec, T>(options, usual_outputs(options.name), sizes, 0.7);
    }
  }
}

TYPED_TEST(Losses, AgreeWithTheirFormulasInDouble) {
  expect_reference_for_all<TypeParam, double>();
}

TYPED_TEST(Losses, AgreeWithTheirFormulasInFloat) {
  expect_reference_for_all<TypeParam, float>();
}

TYPED_TEST(Losses, FollowTheirOptions) {
  const LossSizes sizes{9, 7, 5, 12};
  const auto distances = HeadOutputs::squared_distances;
  LossOptions options = loss_options("class_inclusion");
  options.logit_scale = 0.5;
  for (const auto terms : {losses::InclusionTerms::known, losses::InclusionTerms::unknown}) {
    options.inclusion.terms = terms;
    expect_reference<TypeParam, double>(options, distances, sizes, 5);
  }
  LossOptions triplet = loss_options("triplet");
  triplet.triplet = {3, losses::TripletDistance::euclidean};
  expect_reference<TypeParam, double>(triplet, distances, sizes, 2);
  triplet.triplet = {0.5, losses::TripletDistance::squared};
  expect_reference<TypeParam, double>(triplet, distances, sizes, 2);
  expect_reference<TypeParam, double>(loss_options("none"), HeadOutputs::logits, sizes, 0);
}

TYPED_TEST(Losses, ReportAccuracyNearestAndInclusionRate) {
  LossBatch batch{HeadOutputs::squared_distances, 2, HostMatrix<double>(5, 2), HostMatrix<double>(5, 4), {0, 1, 1}};
  batch.outputs.entries = {1, 2, 3, 2, 5, 8, /*background*/ 3.3, 9, 7, 3.4};

  const LossParts parts = run_loss<TypeParam, double>(loss_options("none"), batch, 0).parts;

  EXPECT_EQ(parts[LossPart::accuracy], 2.0 * (1.0 / 3));
  EXPECT_EQ(parts[LossPart::known_nearest], (1.0 / 3) * (0.25 + 0.5 + 1.25));
  EXPECT_EQ(parts[LossPart::background_nearest], 0.5 * (3.3 / 4 + 3.4 / 4));
  EXPECT_EQ(parts[LossPart::inclusion_rate], 0.5);  // the median of chi-square with 4 degrees of freedom is 3.3567
}

TYPED_TEST(Losses, OfShardsAddUpToTheLossOfTheBatch) {
  for (const std::string name : {"class_inclusion", "triplet", "energy"}) {
    const LossOptions options = loss_options(name);
    const LossBatch batch = random_batch(options, usual_outputs(name), 6, 6, 4, 8, 3);
    const double whole = run_loss<TypeParam, double>(options, batch, 2).parts[LossPart::total];

    double sum = 0;
    for (int shard = 0; shard < 2; ++shard) {
      LossBatch part = random_batch(options, usual_outputs(name), 3, 3, 4, 8, 3);
      for (int i = 0; i < 6; ++i) {
        const int from = i < 3 ? 3 * shard + i : 6 + 3 * shard + (i - 3);
        for (int c = 0; c < 4; ++c) part.outputs(i, c) = batch.outputs(from, c);
        if (i < 3) part.labels[i] = batch.labels[from];
      }
      LossProblem<TypeParam, double> problem(options, part);
      problem.input.known_divisor = problem.input.background_divisor = 6;
      sum += problem.run(2).parts[LossPart::total];
    }

    EXPECT_NEAR(sum, whole, tolerance::loss<double>() * std::abs(whole)) << name;
  }
}

TYPED_TEST(Losses, OfNothingAreZero) {
  for (const losses::LossEntry& info : losses::row_losses()) {
    const LossOptions options = loss_options(std::string(info.name));
    const LossBatch batch = random_batch(options, usual_outputs(options.name), 0, 0, 3, 4, 1);

    const LossRun<float> run = run_loss<TypeParam, float>(options, batch, 1);

    for (const double value : run.parts.values) EXPECT_EQ(value, 0) << info.name;
  }
}

TYPED_TEST(Losses, TurnNaNForALabelThatIsNoClassOrAnOutputThatIsNaN) {
  const InvalidTrapOff trap_off;
  const LossOptions options = loss_options("class_inclusion");
  for (const int label : {-1, 3}) {
    LossBatch batch = random_batch(options, HeadOutputs::squared_distances, 4, 2, 3, 6, 2);
    batch.labels[2] = label;
    EXPECT_TRUE(std::isnan(run_loss<TypeParam, float>(options, batch, 1).parts[LossPart::total])) << label;
  }
  for (const int row : {0, 5}) {
    for (const int column : {0, 1, 2}) {
      LossBatch batch = random_batch(options, HeadOutputs::squared_distances, 4, 2, 3, 6, 2);
      batch.outputs(row, column) = std::nan("");
      EXPECT_TRUE(std::isnan(run_loss<TypeParam, float>(options, batch, 1).parts[LossPart::total])) << row << column;
    }
  }
}

TYPED_TEST(Losses, AllocateNothingAfterTheFirstStep) {
  for (const losses::LossEntry& info : losses::row_losses()) {
    const LossOptions options = loss_options(std::string(info.name));
    const LossBatch batch = random_batch(options, usual_outputs(options.name), 67, 65, 301, 40, 4);
    LossProblem<TypeParam, float> problem(options, batch);
    problem.step(1);

    const AllocationCounter allocations;
    for (int k = 0; k < 3; ++k) problem.step(1);
    problem.exec.fence();

    EXPECT_EQ(allocations.count(), 0) << info.name;
  }
}

/// Against those of the default space of the host.
TYPED_TEST(Losses, HaveTheSameBitsOnEverySpace) {
  for (const losses::LossEntry& info : losses::row_losses()) {
    const LossOptions options = loss_options(std::string(info.name));
    const LossBatch batch = random_batch(options, usual_outputs(options.name), 37, 29, 70, 40, 4);

    const LossRun<float> here = run_loss<TypeParam, float>(options, batch, 1);
    const LossRun<float> there = run_loss<Kokkos::DefaultHostExecutionSpace, float>(options, batch, 1);

    EXPECT_TRUE(same_bits(here.diff_outputs, there.diff_outputs)) << info.name;
    EXPECT_EQ(here.parts.values, there.parts.values) << info.name;
  }
}

}  // namespace
}  // namespace bcr::test
