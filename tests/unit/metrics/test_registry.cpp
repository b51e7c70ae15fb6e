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

OpenSetSamples<double> open_set() {
  return {2, known_scores, predictions, labels, unknown_scores, unknown_predictions};
}

TEST(MetricRegistry, NamesAreUniqueAndDefinitionsAreSentences) {
  std::set<std::string_view> names;
  for (const Metric& metric : all_metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_GT(metric.definition.size(), 20u) << metric.name;
  }
  EXPECT_EQ(names.size(), all_metrics().size());
}

TEST(MetricRegistry, DefinesEveryMetricOfAFullEvaluation) {
  const Evaluation evaluation = evaluate(open_set(), {2.0, 1.5});

  const auto values = evaluate_all_metrics(evaluation);

  EXPECT_EQ(values.size(), all_metrics().size());
  for (const MetricValue& value : values) {
    ASSERT_TRUE(value.value.has_value()) << value.metric->name;
    EXPECT_GE(*value.value, 0) << value.metric->name;
    EXPECT_LE(*value.value, 1) << value.metric->name;
  }
}

TEST(MetricRegistry, FindsByNameTheSameValues) {
  const Evaluation evaluation = evaluate(open_set(), {2.0, 1.5});

  EXPECT_EQ(find_metric("accuracy").value(evaluation), 0.75);
  EXPECT_EQ(find_metric("auroc").value(evaluation), 0.75);
  EXPECT_EQ(find_metric("ccr_fpr_1e-1").value(evaluation), 0.5);
  EXPECT_EQ(find_metric("macro_f1_inclusion").value(evaluation), 0.5);
  EXPECT_EQ(find_metric("fpr95_known").better, Better::lower);
}

TEST(MetricRegistry, LeavesOutWhatAClosedSetDoesNotDefine) {
  OpenSetSamples<double> closed = open_set();
  closed.unknown_scores = {};
  closed.unknown_predictions = {};

  const Evaluation evaluation = evaluate(closed, {});

  EXPECT_EQ(find_metric("accuracy").value(evaluation), 0.75);
  for (const MetricValue& value : evaluate_all_metrics(evaluation)) {
    EXPECT_EQ(value.value.has_value(), value.metric->name == "accuracy") << value.metric->name;
  }
}

TEST(MetricRegistry, ListsTheNamesWhenAskedForAnother) {
  try {
    find_metric("aucro");
    FAIL() << "an unknown name was accepted";
  } catch (const bcr::ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("accuracy, auroc, aupr_known"));
    EXPECT_THAT(error.what(), HasSubstr("aucro"));
  }
}

}  // namespace
