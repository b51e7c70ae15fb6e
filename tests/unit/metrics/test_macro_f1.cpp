#include "src/core/error.hpp"
#include "src/metrics/confusion_matrix.hpp"
#include "src/metrics/threshold.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace {

using namespace bcr::metrics;
namespace tolerance = bcr::test::tolerance;

/// Storage for OpenSetSamples.
struct Owned {
  std::int32_t classes = 0;
  std::vector<double> known_scores;
  std::vector<std::int32_t> known_predictions;
  std::vector<std::int32_t> known_labels;
  std::vector<double> unknown_scores;
  std::vector<std::int32_t> unknown_predictions;

  OpenSetSamples<double> samples() const {
    return {classes, known_scores, known_predictions, known_labels, unknown_scores, unknown_predictions};
  }
};

Owned small() {
  return {2, {4, 3, 2, 1}, {0, 1, 1, 0}, {0, 1, 0, 0}, {2.5, 0.5}, {1, 0}};
}

TEST(OpenSetConfusion, RejectsBelowTheThresholdAndAcceptsAtIt) {
  const ConfusionMatrix matrix = open_set_confusion(small().samples(), 2);

  EXPECT_EQ(matrix.classes(), 3);
  EXPECT_EQ(matrix(0, 0), 1u);
  EXPECT_EQ(matrix(0, 1), 1u);
  EXPECT_EQ(matrix(0, 2), 1u);
  EXPECT_EQ(matrix(1, 1), 1u);
  EXPECT_EQ(matrix(2, 1), 1u);
  EXPECT_EQ(matrix(2, 2), 1u);
  EXPECT_EQ(matrix.truths(0), 3u);
  EXPECT_EQ(matrix.predictions(1), 3u);
}

TEST(MacroF1, IsTheMeanOfTheClassesF1) {
  // By hand from the matrix above: F1 = 2/4 (class 0), 2/4 (class 1), 2/4 (unknown).
  const ConfusionMatrix matrix = open_set_confusion(small().samples(), 2);

  EXPECT_NEAR(macro_f1(matrix), 0.5, tolerance::metric_sum);
}

TEST(MacroF1, OfCgdlIsTheHarmonicMeanOfDampedMeans) {
  // Precisions 1/2, 1/4, 1/3 and recalls 1/4, 1/2, 1/3, each with one more in the denominator.
  const ConfusionMatrix matrix = open_set_confusion(small().samples(), 2);
  const double mean = (1.0 / 2 + 1.0 / 4 + 1.0 / 3) / 3;

  EXPECT_NEAR(macro_f1(matrix, F1Definition::harmonic_of_means), mean, tolerance::metric_sum);
}

TEST(MacroF1, CountsAClassWithoutSamplesAsZero) {
  ConfusionMatrix matrix(3);
  matrix.add(0, 0);
  const ConfusionMatrix empty(3);

  EXPECT_NEAR(macro_f1(matrix), 1.0 / 3, tolerance::metric_sum);
  EXPECT_EQ(macro_f1(empty), 0);
  EXPECT_EQ(macro_f1(empty, F1Definition::harmonic_of_means), 0);
}

TEST(OpenSetConfusion, RefusesSamplesThatDoNotFit) {
  Owned wrong_length = small();
  wrong_length.known_labels.pop_back();
  Owned wrong_label = small();
  wrong_label.known_labels[2] = 2;
  Owned wrong_prediction = small();
  wrong_prediction.unknown_predictions[0] = -1;
  Owned nan = small();
  nan.unknown_scores[1] = std::numeric_limits<double>::quiet_NaN();

  EXPECT_THROW(open_set_confusion(wrong_length.samples(), 0), bcr::ShapeError);
  EXPECT_THROW(open_set_confusion(wrong_label.samples(), 0), bcr::ShapeError);
  EXPECT_THROW(open_set_confusion(wrong_prediction.samples(), 0), bcr::ShapeError);
  EXPECT_THROW(open_set_confusion(nan.samples(), 0), bcr::NumericsError);
  EXPECT_THROW(open_set_confusion(small().samples(), nan.unknown_scores[1]), bcr::NumericsError);
  EXPECT_THROW(ConfusionMatrix(0), bcr::ShapeError);
  EXPECT_THROW(ConfusionMatrix(2).add(0, 2), bcr::ShapeError);
}

TEST(KnownRecallThreshold, AcceptsAtLeastTheAskedShareAndNoMoreThanNeeded) {
  std::vector<float> scores;
  for (int i = 100; i > 0; --i) scores.push_back(static_cast<float>((i * 37) % 101));
  const std::vector<float> one{3.5f};

  EXPECT_EQ(known_recall_threshold<float>(scores, 0.95), 6);  // 95 of the scores 1 ... 100 are >= 6
  EXPECT_EQ(known_recall_threshold<float>(scores, 1), 1);
  EXPECT_EQ(known_recall_threshold<float>(scores, 0.07), 94);  // 0.07 * 100 rounds above 7
  EXPECT_EQ(known_recall_threshold<float>(one), 3.5);
  EXPECT_THROW(known_recall_threshold<float>({}), bcr::ShapeError);
  EXPECT_THROW(known_recall_threshold<float>(scores, 0), bcr::NumericsError);
}

TEST(OracleThreshold, IsTheBestOfAllThresholds) {
  std::mt19937 random(11);
  for (const std::int32_t classes : {1, 3, 17}) {
    Owned owned{classes, {}, {}, {}, {}, {}};
    for (int i = 0; i < 90; ++i) {
      const auto label = static_cast<std::int32_t>(random() % static_cast<unsigned>(classes));
      owned.known_scores.push_back(static_cast<double>(random() % 40));
      owned.known_labels.push_back(label);
      owned.known_predictions.push_back(random() % 5 == 0 ? 0 : label);
      owned.unknown_scores.push_back(static_cast<double>(random() % 25));
      owned.unknown_predictions.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(classes)));
    }
    double best = 0;
    for (int threshold = 0; threshold <= 41; ++threshold) {
      best = std::max(best, macro_f1(open_set_confusion(owned.samples(), threshold)));
    }

    const OracleThreshold oracle = oracle_f1_threshold(owned.samples());

    EXPECT_NEAR(oracle.macro_f1, best, tolerance::metric_sum);
    EXPECT_NEAR(macro_f1(open_set_confusion(owned.samples(), oracle.threshold)), best, tolerance::metric_sum);
  }
}

TEST(OracleThreshold, RejectsEverythingWhenTheUnknownScoreHighest) {
  const Owned owned{2, {2, 1}, {1, 1}, {0, 0}, {5, 4, 3}, {0, 0, 0}};

  EXPECT_EQ(oracle_f1_threshold(owned.samples()).threshold, std::numeric_limits<double>::infinity());
}

}  // namespace
