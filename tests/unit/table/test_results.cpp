#include "src/core/error.hpp"
#include "src/table/result/results.hpp"
#include "src/table/result/shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bcr::table {
namespace {

TablePlan plan_of_setting_1() {
  return parse_table_plan(R"(
title = "Setting 1"
paper = "Table 1"
metrics = ["accuracy", "auroc"]
rows = ["setting"]
columns = ["metric", "method"]
[[methods]]
name = "energy"
config = "e.toml"
[[methods]]
name = "class_inclusion"
config = "c.toml"
tuned = true
[[settings]]
name = "cifar10"
title = "CIFAR-10"
config = "x.toml"
split = "cifar10"
images = 10
tests = 10
[[settings.background]]
set = "imagenet32"
)",
                          "tables/table-1.toml");
}

run::Metrics metrics_with(const double accuracy, const double auroc) {
  run::Metrics metrics;
  metrics.default_score = "s";
  metrics.accuracy = accuracy;
  metrics.average["s"]["auroc"] = auroc;
  return metrics;
}

/// Two trials of both methods; evaluation i belongs to reading i.
RunPlan plan_with_two_trials() {
  RunPlan plan;
  plan.table = plan_of_setting_1();
  plan.settings = {"cifar10"};
  plan.methods = {"energy", "class_inclusion"};
  plan.data.resize(1);
  for (int trial = 0; trial < 2; ++trial) {
    for (const char* const method : {"energy", "class_inclusion"}) {
      plan.readings.push_back({"cifar10", method, std::nullopt, trial, plan.evaluations.size()});
      plan.evaluations.emplace_back();
    }
  }
  return plan;
}

const Place& place_of(const Results& results, const std::string& method, const std::string& metric) {
  for (const Place& place : results.places)
    if (place.key.method == method && place.key.metric == metric) return place;
  throw std::runtime_error("no place of " + method + ", " + metric);
}

TEST(Results, AreMeanAndDeviationOverTrialsBesideThePaper) {
  const RunPlan plan = plan_with_two_trials();

  const Results results = gather(plan, {metrics_with(0.9, 0.7), metrics_with(0.8, 0.5), metrics_with(0.7, 0.9),
                                        metrics_with(0.8, 0.6)});

  EXPECT_EQ(results.evaluated, 4U);
  const Place& energy = place_of(results, "energy", "accuracy");
  ASSERT_TRUE(energy.ours);
  EXPECT_EQ(energy.ours->trials, 2U);
  EXPECT_DOUBLE_EQ(energy.ours->mean, (0.9 + 0.7) / 2);
  EXPECT_DOUBLE_EQ(*energy.ours->deviation, std::abs(0.9 - 0.7) / std::sqrt(2.0));  // of two values
  EXPECT_DOUBLE_EQ(energy.published.value(), 0.956);                                // METHODS: Table 1, CIFAR10
  EXPECT_DOUBLE_EQ(place_of(results, "class_inclusion", "auroc").published.value(), 0.948);
  EXPECT_DOUBLE_EQ(place_of(results, "class_inclusion", "auroc").ours->mean, (0.5 + 0.6) / 2);
}

TEST(Results, HaveThePapersValueAloneWhereNothingWasEvaluated) {
  const RunPlan plan = plan_with_two_trials();

  const Results results = gather(plan, {std::nullopt, metrics_with(0.8, 0.5), std::nullopt, std::nullopt});

  EXPECT_EQ(results.evaluated, 1U);
  EXPECT_FALSE(place_of(results, "energy", "auroc").ours);
  EXPECT_TRUE(place_of(results, "energy", "auroc").published);
  EXPECT_FALSE(place_of(results, "class_inclusion", "auroc").ours->deviation);
}

TEST(Results, ChooseLambdaByValidationAndNeverByTheTest) {
  RunPlan plan = plan_with_two_trials();
  plan.is_tuned = true;
  plan.methods = {"class_inclusion"};
  plan.readings = {{"cifar10", "class_inclusion", 0.5, 0, 0}, {"cifar10", "class_inclusion", 5.0, 0, 1}};
  plan.evaluations.resize(2);
  run::Metrics weak = metrics_with(0.6, 0.6);
  weak.validation_accuracy = 0.9;
  run::Metrics strong = metrics_with(0.99, 0.99);
  strong.validation_accuracy = 0.8;

  const Results results = gather(plan, {weak, strong});

  ASSERT_EQ(results.choices.size(), 1U);
  EXPECT_EQ(results.choices[0].lambda, 0.5);
  EXPECT_DOUBLE_EQ(place_of(results, "class_inclusion", "accuracy").ours->mean, 0.6);
}

TEST(ChooseLambda, TakesTheFirstOfEqualOnes) {
  EXPECT_EQ(choose_lambda({{1.0, {1, 0.8, {}}}, {5.0, {1, 0.8, {}}}, {10.0, {1, 0.7, {}}}}), 1.0);
  EXPECT_THROW(choose_lambda({}), ShapeError);
}

TEST(Difference, IsMeasuredByTheDeviationOfBothMeans) {
  const metrics::TrialSummary ours{3, 0.90, 0.01};

  const Difference difference = difference_from(ours, 0.95);

  EXPECT_DOUBLE_EQ(difference.value, 0.90 - 0.95);
  EXPECT_DOUBLE_EQ(*difference.in_deviations, (0.90 - 0.95) / (0.01 * std::sqrt(1.0 / 3 + 1.0 / 5)));
  EXPECT_EQ(mark_of(difference), Mark::below);
  EXPECT_EQ(mark_of(difference_from(ours, 0.905)), Mark::within);
  EXPECT_EQ(mark_of(difference_from(ours, 0.85)), Mark::above);
  EXPECT_EQ(mark_of(difference_from({1, 0.9, std::nullopt}, 0.95)), Mark::unknown);
  EXPECT_EQ(mark_of(std::nullopt), Mark::none);
}

TEST(Grid, GroupsColumnsByTheFirstDimension) {
  const RunPlan plan = plan_with_two_trials();
  const Results results = gather(plan, {metrics_with(0.9, 0.7), metrics_with(0.8, 0.5), metrics_with(0.7, 0.9),
                                        metrics_with(0.7, 0.6)});

  const Grid grid = make_grid(results.places, plan.table, {"setting"}, {"metric", "method"});

  ASSERT_EQ(grid.columns.size(), 4U);
  EXPECT_EQ(grid.columns[0].titles.front(), "accuracy");
  EXPECT_EQ(grid.columns[1].titles.front(), "accuracy");
  EXPECT_EQ(grid.columns[2].titles.front(), "AUROC");
  ASSERT_EQ(grid.rows.size(), 1U);
  EXPECT_EQ(grid.rows[0].titles, std::vector<std::string>{"CIFAR-10"});
  EXPECT_TRUE(grid.is_best(0, 0));  // energy: 0.8 before 0.75
  EXPECT_FALSE(grid.is_best(0, 1));
}

TEST(Grid, AddsToTheRowsWhatWouldFallTogether) {
  const RunPlan plan = plan_with_two_trials();
  const Results results = gather(plan, {metrics_with(0.9, 0.7), metrics_with(0.8, 0.5), std::nullopt, std::nullopt});

  const Grid grid = make_grid(results.places, plan.table, {"setting"}, {"metric"});

  EXPECT_EQ(grid.row_dimensions, (std::vector<std::string>{"setting", "method"}));
  EXPECT_EQ(grid.rows.size(), 2U);
}

}  // namespace
}  // namespace bcr::table
