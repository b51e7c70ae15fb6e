#include "src/core/error.hpp"
#include "src/predict/rejection.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace bcr::predict {
namespace {

using ::testing::HasSubstr;

const losses::ScoreShape distances{.outputs = losses::HeadOutputs::squared_distances, .classes = 3, .features = 64};
const losses::ScoreShape logits{.outputs = losses::HeadOutputs::logits, .classes = 3, .features = 64};

/// Scores -1 ... -99; class 0 is guessed for the first 60, class 1 for the others, class 2 never.
io::Calibration ninety_nine(const std::string& score) {
  io::Calibration calibration{score, {}, {}, {}};
  for (int i = 1; i <= 99; ++i) {
    calibration.scores.push_back(-i);
    calibration.predictions.push_back(i <= 60 ? 0 : 1);
    calibration.labels.push_back(0);
  }
  return calibration;
}

Rejection make(const RejectionOptions& options, const io::Calibration& calibration = ninety_nine("min_distance"),
               const std::vector<io::FoundThreshold>& stored = {}) {
  io::Checkpoint checkpoint;
  checkpoint.calibration = calibration;
  checkpoint.thresholds = stored;
  return Rejection(options, checkpoint, "min_distance", distances, "file.h5");
}

std::string refusal(const RejectionOptions& options, const io::Calibration& calibration, const std::string& score,
                    const losses::ScoreShape& shape) {
  io::Checkpoint checkpoint;
  checkpoint.calibration = calibration;
  try {
    Rejection(options, checkpoint, score, shape, "file.h5");
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Rejection, HasTheThresholdOfItsRule) {
  EXPECT_EQ(make({}).threshold(2), -95);  // the fifth smallest of 99: 5 / 100 <= 0.05
  EXPECT_EQ(make({.rule = Rule::recall}).threshold(0), -95);  // 95 of 99 are 0.9596, 94 are too few
  EXPECT_NEAR(make({.rule = Rule::inclusion}).threshold(0), -63.334582, 1e-5);
  EXPECT_EQ(make({.threshold = -7.5}).threshold(0), -7.5);
  EXPECT_EQ(make({.rule = Rule::never}).threshold(0), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(make({}, {}).rule(), Rule::inclusion);
}

TEST(Rejection, RejectsWherePIsAtMostAlpha) {
  for (const Rule rule : {Rule::conformal, Rule::class_conformal}) {
    const Rejection rejection = make({.rule = rule, .alpha = 0.1});
    for (double score = -101; score <= 1; score += 0.5)
      for (const int guess : {0, 1, 2})
        EXPECT_EQ(rejection.rejects(score, guess), *rejection.p_value(score, guess) <= 0.1) << score;
  }
}

TEST(Rejection, ComparesWithTheImagesOfTheGuessedClass) {
  const Rejection rejection = make({.rule = Rule::class_conformal});

  EXPECT_EQ(*rejection.p_value(-60, 0), 2.0 / 61);
  EXPECT_EQ(*rejection.p_value(-60, 1), 1.0);
  EXPECT_TRUE(rejection.rejects(-60, 0));
  EXPECT_FALSE(rejection.rejects(-1e300, 2));  // no image of it: nothing can be promised by rejecting
}

TEST(Rejection, TakesTheThresholdThatTrainingStored) {
  const std::vector<io::FoundThreshold> stored{{"conformal", "min_distance", 0.05, {-12.5}, "found in training"},
                                               {"class-conformal", "min_distance", 0.05, {-1, -2, -3}, "of each class"},
                                               {"recall", "min_distance", 0.05, {-17}, "recall"},
                                               {"inclusion", "min_distance", {}, {-31}, "P_I"}};
  const auto known = ninety_nine("min_distance");

  EXPECT_EQ(make({}, known, stored).threshold(2), -12.5);
  EXPECT_EQ(make({}, known, stored).found(), "found in training");
  EXPECT_EQ(make({.rule = Rule::class_conformal}, known, stored).threshold(1), -2);
  EXPECT_EQ(make({.rule = Rule::recall}, known, stored).threshold(0), -17);
  EXPECT_EQ(make({.rule = Rule::inclusion}, known, stored).threshold(0), -31);
  EXPECT_EQ(make({.alpha = 0.1}, known, stored).threshold(0), -90) << "another share is found on the scores";
  EXPECT_EQ(make({.threshold = -7.5}, known, stored).threshold(0), -7.5);
}

TEST(Rejection, RefusesStoredThresholdsOfAnotherScoreOrNumberOfClasses) {
  const auto known = ninety_nine("min_distance");
  EXPECT_THROW(make({}, known, {{"conformal", "energy", 0.05, {-1}, ""}}), IoError);
  EXPECT_THROW(make({.rule = Rule::class_conformal}, known, {{"class-conformal", "min_distance", 0.05, {-1}, ""}}),
               IoError);
}

TEST(Rejection, TakesAScoreThatIsNoNumberForUnknown) {
  EXPECT_TRUE(make({}).rejects(std::nan(""), 0));
}

TEST(Rejection, SaysWhatItWouldNeed) {
  const io::Calibration none;
  EXPECT_THAT(refusal({.rule = Rule::conformal}, none, "min_distance", distances), HasSubstr("data.validation"));
  EXPECT_THAT(refusal({}, none, "max_softmax", logits), HasSubstr("data.validation"));
  EXPECT_THAT(refusal({.rule = Rule::inclusion}, none, "max_softmax", logits), HasSubstr("P_I"));
  EXPECT_THAT(refusal({.rule = Rule::given}, none, "max_softmax", logits), HasSubstr("--threshold"));
  EXPECT_THAT(refusal({.rule = Rule::never, .threshold = 1.0}, none, "max_softmax", logits), HasSubstr("--rule given"));
  EXPECT_THAT(refusal({.alpha = 1}, none, "min_distance", distances), HasSubstr("--alpha"));
  EXPECT_THAT(refusal({}, ninety_nine("energy"), "min_distance", distances), HasSubstr("energy"));
}

}  // namespace
}  // namespace bcr::predict
