#include "src/core/error.hpp"
#include "src/metrics/accuracy.hpp"
#include "src/metrics/aupr.hpp"
#include "src/metrics/roc.hpp"
#include "src/metrics/fpr_at_recall.hpp"
#include "tests/reference/open_set_metrics.hpp"
#include "tests/support/tolerance.hpp"

#include <gmock/gmock.h>

#include <random>
#include <vector>

namespace {

using namespace bcr::metrics;
namespace reference = bcr::reference;
namespace tolerance = bcr::test::tolerance;
using Flags = std::vector<std::uint8_t>;
constexpr auto known_positive = Positive::known;
constexpr auto unknown_positive = Positive::unknown;

struct Problem {
  std::vector<double> known;
  Flags correct;
  std::vector<double> unknown;

  ScoreSweep sweep() const { return ScoreSweep(OpenSetScores<double>{known, correct, unknown}); }
};

Problem toy() {
  return {{9, 8, 7, 6, 5, 4, 3, 2}, {1, 1, 1, 0, 1, 1, 1, 0}, {6.5, 4.5, 3.5, 2.5, 1.5, 1, 0.5, 0.4, 0.3, 0.2}};
}

Problem random_problem(const unsigned seed, const std::size_t known, const std::size_t unknown, const unsigned levels) {
  std::mt19937 random(seed);
  Problem problem{std::vector<double>(known), Flags(known), std::vector<double>(unknown)};
  const unsigned third = levels / 3, half = levels / 2;
  for (double& score : problem.known) score = static_cast<double>(random() % levels) - third;
  for (double& score : problem.unknown) score = static_cast<double>(random() % levels) - half;
  for (std::uint8_t& flag : problem.correct) flag = random() % 4 == 0 ? 0 : 1;
  return problem;
}

const std::vector<Problem>& random_problems() {
  static const std::vector<Problem> problems = [] {
    std::vector<Problem> made;
    unsigned seed = 0;
    for (const auto& [known, unknown] : {std::pair{1, 1}, {1, 40}, {40, 1}, {7, 65}, {130, 33}, {20, 20}}) {
      for (const unsigned levels : {1u, 2u, 5u, 30u, 1000000u})
        made.push_back(random_problem(++seed, known, unknown, levels));
    }
    return made;
  }();
  return problems;
}

TEST(Metrics, GiveTheNumbersOfTheWorkedExample) {
  const ScoreSweep sweep = toy().sweep();

  EXPECT_EQ(accuracy(sweep), 0.75);
  EXPECT_EQ(auroc(sweep), 0.8625);
  EXPECT_NEAR(average_precision(sweep, known_positive), 0.84375, tolerance::metric_sum);
  EXPECT_NEAR(average_precision(sweep, unknown_positive), 0.9 + 0.11 / 12, tolerance::metric_sum);
  EXPECT_NEAR(aupr_trapezoid(sweep, known_positive), 0.8323323, tolerance::seven_digits);
  EXPECT_NEAR(aupr_trapezoid(sweep, unknown_positive), 0.9048359, tolerance::seven_digits);
  EXPECT_EQ(fpr_at_recall(sweep, known_positive), 0.4);
  EXPECT_EQ(fpr_at_recall(sweep, unknown_positive), 0.625);
  EXPECT_EQ(ccr_at_fpr(sweep, 0.1), 0.375);
  EXPECT_EQ(ccr_at_fpr(sweep, 0.3), 0.625);
  EXPECT_EQ(oscr_area(sweep), 0.675);
}

TEST(Metrics, EqualTheirDefinitionsOnRandomScoresWithTies) {
  for (const Problem& p : random_problems()) {
    const ScoreSweep sweep = p.sweep();
    const auto known_areas = reference::precision_recall_areas(p.known, p.unknown);
    const auto unknown_areas =
        reference::precision_recall_areas(reference::negated(p.unknown), reference::negated(p.known));

    EXPECT_EQ(auroc(sweep), reference::auroc(p.known, p.unknown));
    EXPECT_EQ(oscr_area(sweep), reference::mean_wins(p.known, p.correct, p.unknown));
    EXPECT_NEAR(average_precision(sweep, known_positive), known_areas.steps, tolerance::metric_sum);
    EXPECT_NEAR(average_precision(sweep, unknown_positive), unknown_areas.steps, tolerance::metric_sum);
    EXPECT_NEAR(aupr_trapezoid(sweep, known_positive), known_areas.trapezoid, tolerance::metric_sum);
    EXPECT_NEAR(aupr_trapezoid(sweep, unknown_positive), unknown_areas.trapezoid, tolerance::metric_sum);
  }
}

TEST(FprAtRecall, EqualsItsDefinitionForBothRulesAndBothPositives) {
  for (const Problem& p : random_problems()) {
    const ScoreSweep sweep = p.sweep();
    const auto minus_known = reference::negated(p.known);
    const auto minus_unknown = reference::negated(p.unknown);
    for (const double level : {0.05, 0.5, 0.9, 0.95, 1.0}) {
      EXPECT_EQ(fpr_at_recall(sweep, known_positive, RecallRule::nearest, level),
                reference::fpr_at_nearest_recall(p.known, p.unknown, level));
      EXPECT_EQ(fpr_at_recall(sweep, unknown_positive, RecallRule::nearest, level),
                reference::fpr_at_nearest_recall(minus_unknown, minus_known, level));
      EXPECT_EQ(fpr_at_recall(sweep, known_positive, RecallRule::first_reached, level),
                reference::fpr_at_first_recall(p.known, p.unknown, level));
      EXPECT_EQ(fpr_at_recall(sweep, unknown_positive, RecallRule::first_reached, level),
                reference::fpr_at_first_recall(minus_unknown, minus_known, level));
    }
  }
}

TEST(CcrAtFpr, CountsStrictlyAboveTheKthUnknown) {
  for (const Problem& p : random_problems()) {
    const ScoreSweep sweep = p.sweep();
    const std::size_t n = p.unknown.size();
    for (const std::size_t thousandths : {0u, 1u, 10u, 100u, 300u, 999u}) {
      const std::size_t k = std::max<std::size_t>(1, (n * thousandths + 999) / 1000);

      EXPECT_EQ(ccr_at_fpr(sweep, static_cast<double>(thousandths) / 1000),
                reference::ccr_above_kth_unknown(p.known, p.correct, p.unknown, k));
    }
  }
}

TEST(CcrAtFpr, RoundsDecimalRatesExactly) {
  // In doubles 0.07 * 100 > 7 and 0.29 * 100 < 29: k must be 7 and 29 all the same.
  Problem p;
  for (int i = 0; i < 100; ++i) p.unknown.push_back(i);
  for (int i = 0; i < 100; ++i) p.known.push_back(i + 0.5);
  p.correct.assign(100, 1);
  const ScoreSweep sweep = p.sweep();

  for (int k = 1; k < 100; ++k) EXPECT_EQ(ccr_at_fpr(sweep, k / 100.0), k / 100.0);
}

TEST(CcrAtFpr, IsTheAccuracyWhenNothingIsRejected) {
  for (const Problem& p : random_problems()) {
    EXPECT_EQ(ccr_at_fpr(p.sweep(), 1), accuracy(p.sweep()));
    EXPECT_EQ(oscr_curve(p.sweep()).back().fpr, 1);
    EXPECT_EQ(oscr_curve(p.sweep()).back().ccr, accuracy(p.sweep()));
  }
}

TEST(OscrCurve, RisesInBothRatesAndHasTheStatedArea) {
  for (const Problem& p : random_problems()) {
    double area = 0;
    OscrPoint last;
    for (const OscrPoint& point : oscr_curve(p.sweep())) {
      EXPECT_GE(point.fpr, last.fpr);
      EXPECT_GE(point.ccr, last.ccr);
      area += (point.fpr - last.fpr) * (point.ccr + last.ccr) / 2;
      last = point;
    }

    EXPECT_NEAR(oscr_area(p.sweep()), area, tolerance::metric_sum);
  }
}

TEST(OscrArea, IsAtMostAccuracyAndAurocAndEqualsAurocWhenAllIsRight) {
  for (const Problem& p : random_problems()) {
    Problem all_right = p;
    all_right.correct.assign(p.known.size(), 1);

    EXPECT_LE(oscr_area(p.sweep()), accuracy(p.sweep()));
    EXPECT_LE(oscr_area(p.sweep()), auroc(p.sweep()));
    EXPECT_EQ(oscr_area(all_right.sweep()), auroc(p.sweep()));
  }
}

TEST(Metrics, HaveDefinedValuesWhenAllScoresAreEqual) {
  const ScoreSweep sweep = Problem{{2, 2, 2, 2}, {1, 1, 1, 0}, {2, 2}}.sweep();

  EXPECT_EQ(auroc(sweep), 0.5);
  EXPECT_NEAR(average_precision(sweep, known_positive), 4.0 / 6, tolerance::metric_sum);
  EXPECT_NEAR(aupr_trapezoid(sweep, unknown_positive), (1 + 2.0 / 6) / 2, tolerance::metric_sum);
  EXPECT_EQ(fpr_at_recall(sweep, known_positive), 1);
  EXPECT_EQ(ccr_at_fpr(sweep, 0.1), 0);
  EXPECT_EQ(oscr_area(sweep), 0.375);
}

TEST(Metrics, ArePerfectWhenTheSetsAreApart) {
  const ScoreSweep sweep = Problem{{5, 4}, {1, 1}, {3, 2, 1}}.sweep();

  EXPECT_EQ(auroc(sweep), 1);
  EXPECT_EQ(average_precision(sweep, known_positive), 1);
  EXPECT_EQ(average_precision(sweep, unknown_positive), 1);
  EXPECT_EQ(aupr_trapezoid(sweep, known_positive), 1);
  EXPECT_EQ(fpr_at_recall(sweep, unknown_positive), 0);
  EXPECT_EQ(ccr_at_fpr(sweep, 1e-4), 1);
}

TEST(Metrics, RefuseEmptySetsAndLevelsOutOfRange) {
  const ScoreSweep no_unknown = Problem{{1}, {1}, {}}.sweep();
  const ScoreSweep no_known = Problem{{}, {}, {1}}.sweep();

  EXPECT_EQ(accuracy(no_unknown), 1);
  EXPECT_THROW(accuracy(no_known), bcr::ShapeError);
  for (const ScoreSweep* sweep : {&no_unknown, &no_known}) {
    EXPECT_THROW(auroc(*sweep), bcr::ShapeError);
    EXPECT_THROW(average_precision(*sweep, known_positive), bcr::ShapeError);
    EXPECT_THROW(aupr_trapezoid(*sweep, known_positive), bcr::ShapeError);
    EXPECT_THROW(fpr_at_recall(*sweep, known_positive), bcr::ShapeError);
    EXPECT_THROW(ccr_at_fpr(*sweep, 0.1), bcr::ShapeError);
    EXPECT_THROW(oscr_area(*sweep), bcr::ShapeError);
    EXPECT_THROW(oscr_curve(*sweep), bcr::ShapeError);
  }
  EXPECT_THROW(ccr_at_fpr(toy().sweep(), 1.5), bcr::NumericsError);
  EXPECT_THROW(fpr_at_recall(toy().sweep(), known_positive, RecallRule::nearest, 0), bcr::NumericsError);
}

TEST(Accuracy, ComparesPredictionsWithLabels) {
  const std::vector<std::int32_t> labels{0, 1, 2, 1};
  const std::vector<std::int32_t> predictions{0, 1, 1, 0};

  EXPECT_EQ(accuracy(predictions, labels), 0.5);
  EXPECT_THAT(correctness(predictions, labels), ::testing::ElementsAre(1, 1, 0, 0));
  EXPECT_THROW(accuracy(std::span(predictions).first(3), labels), bcr::ShapeError);
  EXPECT_THROW(accuracy({}, {}), bcr::ShapeError);
}

}  // namespace
