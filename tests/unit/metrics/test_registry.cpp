#include "src/core/error.hpp"
#include "src/metrics/registry.hpp"

#include <gmock/gmock.h>

#include <set>
#include <string>
#include <vector>

namespace {

using namespace bcr::metrics;
using ::testing::HasSubstr;

const std::vector<double> known_scores{4, 3, 2, 1};
const std::vector<std::int32_t> predictions{0, 1, 1, 0};
const std::vector<std::int32_t> labels{0, 1, 0, 0};
const std::vector<double> unknown_scores{2.5, 0.5};
const std::vector<std::int32_t> unknown_predictions{1, 0};

const std::vector<std::int32_t> accepted_at_2{0, 1, 1, 2};
const std::vector<std::int32_t> unknown_at_2{1, 2};

/// The threshold 2.0 as the decision of every rule.
std::vector<Decided> decisions() {
  std::vector<Decided> list;
  for (const DecisionRule& rule : all_decision_rules().entries())
    if (rule.name != "never" && rule.name != "oracle") list.push_back({rule.name, accepted_at_2, unknown_at_2});
  return list;
}

OpenSetSamples<double> open_set() {
  return {2, known_scores, predictions, labels, unknown_scores, unknown_predictions};
}

TEST(MetricRegistry, NamesAreUniqueAndDefinitionsAreSentences) {
  std::set<std::string_view> names;
  for (const Metric& metric : all_metrics().entries()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_GT(metric.definition.size(), 20u) << metric.name;
  }
  EXPECT_EQ(names.size(), all_metrics().entries().size());
}

TEST(MetricRegistry, DefinesEveryMetricOfAFullEvaluation) {
  const Evaluation evaluation = evaluate<double>(open_set(), decisions());

  const auto values = evaluate_all_metrics(evaluation);

  EXPECT_EQ(values.size(), all_metrics().entries().size());
  for (const MetricValue& value : values) {
    ASSERT_TRUE(value.value.has_value()) << value.metric->name;
    EXPECT_GE(*value.value, 0) << value.metric->name;
    EXPECT_LE(*value.value, 1) << value.metric->name;
  }
}

TEST(MetricRegistry, FindsByNameTheSameValues) {
  const Evaluation evaluation = evaluate<double>(open_set(), decisions());

  EXPECT_EQ(all_metrics().find("accuracy").value(evaluation), 0.75);
  EXPECT_EQ(all_metrics().find("auroc").value(evaluation), 0.75);
  EXPECT_EQ(all_metrics().find("ccr_fpr_1e-1").value(evaluation), 0.5);
  EXPECT_EQ(all_metrics().find("macro_f1_inclusion").value(evaluation), 0.5);
  EXPECT_EQ(all_metrics().find("fpr95_known").better, Better::lower);
}

TEST(MetricRegistry, LeavesOutWhatAClosedSetDoesNotDefine) {
  OpenSetSamples<double> closed = open_set();
  closed.unknown_scores = {};
  closed.unknown_predictions = {};

  const Evaluation evaluation = evaluate<double>(closed, {});

  EXPECT_EQ(all_metrics().find("accuracy").value(evaluation), 0.75);
  for (const MetricValue& value : evaluate_all_metrics(evaluation)) {
    EXPECT_EQ(value.value.has_value(), value.metric->name == "accuracy") << value.metric->name;
  }
}

TEST(MetricRegistry, ListsTheNamesWhenAskedForAnother) {
  try {
    all_metrics().find("aucro");
    FAIL() << "an unknown name was accepted";
  } catch (const bcr::ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("accuracy, auroc, aupr_known"));
    EXPECT_THAT(error.what(), HasSubstr("aucro"));
  }
}

TEST(MetricRegistry, TakesAMetricFromOutside) {
  all_metrics().add({"known_share", "known", Shown::file, Better::higher, "share of known samples among all of them",
                     [](const Evaluation& evaluation) -> std::optional<double> {
                       if (evaluation.sweep.unknown() == 0) return std::nullopt;
                       return double(evaluation.sweep.known()) /
                              (evaluation.sweep.known() + evaluation.sweep.unknown());
                     }});

  const auto values = evaluate_all_metrics(evaluate<double>(open_set(), {}));

  EXPECT_EQ(values.back().metric->name, "known_share");
  EXPECT_EQ(values.back().value, 4.0 / 6);
  EXPECT_THAT(all_metrics().names(), testing::Contains("known_share"));
}

TEST(MetricRegistry, AveragesAMetricOverTheSetsThatDefineIt) {
  OpenSetSamples<double> closed = open_set();
  closed.unknown_scores = {};
  closed.unknown_predictions = {};
  const std::vector sets{evaluate_all_metrics(evaluate<double>(open_set(), {})), evaluate_all_metrics(evaluate<double>(closed, {}))};

  const auto means = mean_of_sets(sets);

  for (const MetricValue& mean : means) {
    if (mean.metric->name == "auroc") EXPECT_EQ(mean.value, 0.75);
    if (mean.metric->name == "accuracy") EXPECT_EQ(mean.value, 0.75);
    if (mean.metric->name == "macro_f1_recall") EXPECT_FALSE(mean.value.has_value());
  }
}

}  // namespace
