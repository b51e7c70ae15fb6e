#include "src/core/error.hpp"
#include "src/train/decision.hpp"
#include "tests/support/invalid_trap.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bcr::train {
namespace {

const losses::ScoreShape distances{.outputs = losses::HeadOutputs::squared_distances, .classes = 3, .features = 64};

const Decision* find(const std::vector<Decision>& decisions, const std::string& rule) {
  for (const Decision& decision : decisions)
    if (decision.rule == rule) return &decision;
  return nullptr;
}

std::vector<double> hundred_scores() {
  std::vector<double> scores;
  for (int i = 0; i < 100; ++i) scores.push_back((i * 37) % 100);
  return scores;
}

TEST(Decision, HasTheThresholdsThatItsScoreDefines) {
  const auto of_distance = threshold_decisions("min_distance", distances, hundred_scores(), "training", {}, true);
  const auto of_inclusion = threshold_decisions("inclusion", distances, {}, "training", {}, false);
  const auto of_softmax = threshold_decisions("max_softmax", distances, hundred_scores(), "validation", {}, false);

  ASSERT_TRUE(find(of_distance, "inclusion") && find(of_distance, "recall") && find(of_inclusion, "inclusion"));
  EXPECT_NEAR(*find(of_distance, "inclusion")->threshold, -63.334582, 1e-5);  // minus the median of chi-square, n = 64
  EXPECT_NEAR(*find(of_inclusion, "inclusion")->threshold, std::log(0.5), 1e-15);
  EXPECT_EQ(*find(of_distance, "recall")->threshold, 5);  // 95 of 0 ... 99 are at least 5
  EXPECT_EQ(find(of_distance, "recall")->found, "accepts 95 % of 100 training images");
  EXPECT_EQ(find(of_softmax, "recall")->found, "accepts 95 % of 100 validation images");
  EXPECT_EQ(*find(of_softmax, "tau")->threshold, 0.5);
  EXPECT_FALSE(find(of_inclusion, "recall"));  // nothing to find it on
  EXPECT_FALSE(find(of_distance, "tau"));
  EXPECT_FALSE(find(of_softmax, "inclusion"));
}

TEST(Decision, TakesWhatTheUserGives) {
  EvalOptions options;
  options.recall = 0.5;
  options.threshold = 7;
  options.softmax_threshold = 0.75;

  const auto first = threshold_decisions("max_softmax", distances, hundred_scores(), "training", options, true);
  const auto other = threshold_decisions("energy", distances, hundred_scores(), "training", options, false);

  EXPECT_EQ(*find(first, "given")->threshold, 7);
  EXPECT_EQ(*find(first, "tau")->threshold, 0.75);
  EXPECT_EQ(*find(first, "recall")->threshold, 50);
  EXPECT_FALSE(find(other, "given"));  // it is a threshold of the default score
}

TEST(Decision, RejectsBelowItsThresholdAlone) {
  const bcr::test::InvalidTrapOff comparing_nan_is_invalid;
  io::SetScores set;
  set.predictions = {0, 1, 2, 1};
  set.scores = {{"energy", {0, 0, 0, 0}}, {"knn", {-1, 2, 2.5, std::nan("")}}};

  EXPECT_EQ(decide(set, {"knn", "recall", 2.0, ""}, 3), (std::vector<std::int32_t>{3, 1, 2, 3}));
  EXPECT_THROW(decide(set, {"vim", "recall", 2.0, ""}, 3), ShapeError);
}

}  // namespace
}  // namespace bcr::train
