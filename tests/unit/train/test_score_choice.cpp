#include "src/core/error.hpp"
#include "src/train/score_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bcr::train {
namespace {

using Names = std::vector<std::string>;

losses::ScoreShape shape_of(const losses::HeadOutputs outputs, const int classes = 6) {
  return {.outputs = outputs, .classes = classes, .features = 64};
}

const losses::ScoreShape logits = shape_of(losses::HeadOutputs::logits);
const losses::ScoreShape distances = shape_of(losses::HeadOutputs::squared_distances);

bool has(const ScoreChoice& choice, const std::string_view name) {
  return std::count(choice.names().begin(), choice.names().end(), name) == 1;
}

TEST(ScoreChoice, TakesAllThatFitWithTheDefaultInFront) {
  const ScoreChoice of_logits({}, logits, "energy");
  const ScoreChoice of_distances({}, distances, "min_distance");

  EXPECT_EQ(of_logits.names().front(), "energy");
  EXPECT_TRUE(has(of_logits, "energy") && has(of_logits, "max_softmax") && has(of_logits, "openmax"));
  EXPECT_FALSE(has(of_logits, "min_distance"));
  EXPECT_EQ(of_distances.names().front(), "min_distance");
  EXPECT_TRUE(has(of_distances, "inclusion"));
  EXPECT_FALSE(has(of_distances, "openmax"));
}

TEST(ScoreChoice, LeavesOpenmaxOutOfVeryManyClassesUnlessAskedForIt) {
  const losses::ScoreShape many = shape_of(losses::HeadOutputs::logits, 21841);

  EXPECT_FALSE(has(ScoreChoice({}, many, "max_softmax"), "openmax"));
  EXPECT_EQ(ScoreChoice({"openmax"}, many, "max_softmax").fitted(), Names{"openmax"});
}

TEST(ScoreChoice, KeepsTheOrderThatWasAskedFor) {
  const ScoreChoice choice({"openmax", "energy"}, logits, "max_softmax");
  io::SetScores set;
  set.scores = {{"energy", {1.0}}, {"max_softmax", {2.0}}, {"openmax", {3.0}}};

  choice.arrange(set);

  EXPECT_EQ(choice.of_outputs(), Names{"energy"});
  ASSERT_EQ(set.scores.size(), 2u);
  EXPECT_EQ(set.scores[0], std::pair(std::string("openmax"), std::vector{3.0}));
  EXPECT_EQ(set.scores[1], std::pair(std::string("energy"), std::vector{1.0}));
}

TEST(ScoreChoice, TakesWhatCostsMoreOnlyIfAskedFor) {
  const ScoreChoice little({}, logits, "max_softmax"), all({"all"}, logits, "max_softmax");

  EXPECT_FALSE(has(little, "knn"));
  for (const char* const name : {"knn", "mahalanobis", "relative_mahalanobis", "vim", "fdbd", "react", "aosr", "openmax"})
    EXPECT_TRUE(has(all, name)) << name;
  EXPECT_EQ(all.names().front(), "max_softmax");
  EXPECT_FALSE(has(ScoreChoice({"all"}, distances, "min_distance"), "vim"));
  EXPECT_FALSE(all.is_asked_for("knn"));
  EXPECT_TRUE(ScoreChoice({"knn"}, logits, "max_softmax").is_asked_for("knn"));
}

TEST(ScoreChoice, AlwaysHasAScoreThatPredicts) {
  const ScoreChoice choice({"openmax"}, logits, "max_softmax");

  EXPECT_EQ(choice.names(), Names{"openmax"});
  EXPECT_EQ(choice.of_outputs(), Names{"max_softmax"});
}

TEST(ScoreChoice, RefusesWhatIsUnknownUnfitOrTwice) {
  EXPECT_THROW(ScoreChoice({"nonsense"}, logits, "max_softmax"), ConfigError);
  EXPECT_THROW(ScoreChoice({"openmax"}, distances, "min_distance"), ConfigError);
  EXPECT_THROW(ScoreChoice({"energy", "energy"}, logits, "max_softmax"), ConfigError);
}

}  // namespace
}  // namespace bcr::train
