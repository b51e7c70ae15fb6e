#include "src/metrics/accuracy.hpp"
#include "src/metrics/aupr.hpp"
#include "src/metrics/roc.hpp"
#include "src/metrics/fpr_at_recall.hpp"
#include "src/metrics/confusion_matrix.hpp"
#include "src/metrics/threshold.hpp"
#include "tests/support/data_folder.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>
#include <vector>

// Random cases with many ties, with the values of scikit-learn (scripts/make_metric_cases.py).
namespace {

using namespace bcr::metrics;
namespace tolerance = bcr::test::tolerance;

/// The samples of a case as type T (all scores are exact in float), and the expected values.
template <class T>
struct Case {
  std::string name;
  std::int32_t classes = 0;
  std::vector<T> known;
  std::vector<T> unknown;
  std::vector<std::int32_t> predictions;
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> unknown_predictions;
  nlohmann::json expected;

  OpenSetSamples<T> samples() const { return {classes, known, predictions, labels, unknown, unknown_predictions}; }
  double value(const std::string& key) const { return expected.at(key).get<double>(); }
};

template <class T>
std::vector<Case<T>> read_cases() {
  std::ifstream file(bcr::test::data_folder + "metric_cases.json");
  const auto document = nlohmann::json::parse(file);
  std::vector<Case<T>> cases;
  for (const auto& json : document.at("cases")) {
    cases.push_back({json.at("name"), json.at("classes"), json.at("known"), json.at("unknown"), json.at("predictions"),
                     json.at("labels"), json.at("unknown_predictions"), json.at("expected")});
  }
  return cases;
}

template <class T>
class MetricsOfPeers : public ::testing::Test {};

using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MetricsOfPeers, Reals);

TYPED_TEST(MetricsOfPeers, AgreeOnThresholdFreeMetrics) {
  const auto cases = read_cases<TypeParam>();
  ASSERT_GE(cases.size(), 9u);
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto correct = correctness(c.predictions, c.labels);

    const ScoreSweep sweep(OpenSetScores<TypeParam>{c.known, correct, c.unknown});

    EXPECT_EQ(accuracy(sweep), c.value("accuracy"));
    EXPECT_NEAR(auroc(sweep), c.value("auroc"), tolerance::metric_of_peer);
    EXPECT_NEAR(oscr_area(sweep), c.value("oscr_area"), tolerance::metric_of_peer);
    const std::vector<double> ccr = c.expected.at("ccr");
    for (std::size_t i = 0; i < 5; ++i)
      EXPECT_EQ(ccr_at_fpr(sweep, std::array{1e-4, 1e-3, 1e-2, 1e-1, 0.3}[i]), ccr[i]);
    for (const auto positive : {Positive::known, Positive::unknown}) {
      const std::string suffix = positive == Positive::known ? "_known" : "_unknown";
      EXPECT_NEAR(average_precision(sweep, positive), c.value("average_precision" + suffix), tolerance::metric_of_peer);
      EXPECT_NEAR(aupr_trapezoid(sweep, positive), c.value("trapezoid" + suffix), tolerance::metric_of_peer);
      EXPECT_EQ(fpr_at_recall(sweep, positive, RecallRule::nearest, 0.95), c.value("fpr95_nearest" + suffix));
      EXPECT_EQ(fpr_at_recall(sweep, positive, RecallRule::nearest, 0.90), c.value("fpr90_nearest" + suffix));
      EXPECT_EQ(fpr_at_recall(sweep, positive, RecallRule::first_reached, 0.95), c.value("fpr95_first" + suffix));
    }
  }
}

TYPED_TEST(MetricsOfPeers, AgreeOnMacroF1AndItsBestThreshold) {
  for (const auto& c : read_cases<TypeParam>()) {
    SCOPED_TRACE(c.name);

    const double at_threshold = macro_f1(open_set_confusion(c.samples(), c.value("f1_threshold")));
    const OracleThreshold oracle = oracle_f1_threshold(c.samples());

    EXPECT_NEAR(at_threshold, c.value("macro_f1"), tolerance::metric_of_peer);
    EXPECT_NEAR(oracle.macro_f1, c.value("best_macro_f1"), tolerance::metric_of_peer);
    EXPECT_NEAR(macro_f1(open_set_confusion(c.samples(), oracle.threshold)), oracle.macro_f1, tolerance::metric_sum);
  }
}

}  // namespace
