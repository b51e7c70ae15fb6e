#include "src/core/error.hpp"
#include "src/train/openmax_score.hpp"
#include "tests/reference/openmax.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace bcr::train {
namespace {

constexpr int classes = 3;

/// Images whose logits lie around 6 e_label, with one column more that must not count.
io::SetScores make_set(const std::size_t count, const unsigned seed) {
  std::mt19937 random(seed);
  io::SetScores set;
  for (std::size_t i = 0; i < count; ++i) {
    const auto label = static_cast<std::int32_t>(i % classes);
    for (std::int32_t c = 0; c < classes; ++c)
      set.outputs.push_back((c == label ? 6.0f : 0.0f) + static_cast<float>(random() % 8192) / 1024 - 4);
    set.outputs.push_back(static_cast<float>(random() % 100));  // the background class, often the highest
    set.labels.push_back(label);
  }
  return set;
}

std::vector<double> known_logits(const io::SetScores& set, const std::size_t row) {
  const float* const first = set.outputs.data() + row * (classes + 1);
  return {first, first + classes};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t j = 0; j < a.size(); ++j) squares += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(squares);
}

/// Mean logits and tail of a class, from the images that are classified right among the known classes.
struct ClassModel {
  std::vector<double> mean;
  metrics::WeibullTail tail;

  ClassModel(const io::SetScores& training, const int c, const std::size_t tail_size) : mean(classes, 0.0) {
    std::vector<std::vector<double>> members;
    for (std::size_t i = 0; i < training.count(); ++i) {
      const auto row = known_logits(training, i);
      if (training.labels[i] == c && std::max_element(row.begin(), row.end()) - row.begin() == c)
        members.push_back(row);
    }
    for (const auto& row : members)
      for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += row[j] / static_cast<double>(members.size());
    std::vector<double> distances;
    for (const auto& row : members) distances.push_back(distance(row, mean));
    tail = metrics::WeibullTail::fit_high(distances, tail_size);
  }
};

TEST(OpenmaxScore, IsFittedToTheKnownLogitsOfTheTrainingImages) {
  const metrics::OpenmaxSettings settings{.tail_size = 15, .alpha = 2};
  const io::SetScores training = make_set(300, 1);
  io::SetScores test = make_set(100, 2);
  std::vector<ClassModel> models;
  for (int c = 0; c < classes; ++c) models.emplace_back(training, c, settings.tail_size);

  const OpenmaxScore openmax(training, classes, settings);
  openmax.add_to(test);

  EXPECT_EQ(openmax.classes_with_tail(), classes);
  ASSERT_EQ(test.scores.size(), 1u);
  EXPECT_EQ(test.scores[0].first, "openmax");
  ASSERT_EQ(test.scores[0].second.size(), test.count());
  for (std::size_t i = 0; i < test.count(); ++i) {
    const auto row = known_logits(test, i);
    const auto weight = [&](const int c) {
      const ClassModel& model = models[static_cast<std::size_t>(c)];
      return model.tail.cdf(distance(row, model.mean));
    };
    const auto expected = reference::openmax(row, settings.alpha, weight);
    ASSERT_NEAR(test.scores[0].second[i], 1 - expected.back(), test::tolerance::openmax) << i;
  }
}

TEST(OpenmaxScore, CountsClassesWithoutATail) {
  io::SetScores training = make_set(300, 1);
  for (std::int32_t& label : training.labels) label = label == 2 ? 0 : label;  // nobody is right in class 2

  EXPECT_EQ(OpenmaxScore(training, classes, {}).classes_with_tail(), 2);
}

TEST(OpenmaxScore, WantsLogitsOfAllClasses) {
  io::SetScores training = make_set(30, 1);
  training.outputs.resize(60);

  EXPECT_THROW(OpenmaxScore(training, classes, {}), ShapeError);
}

TEST(OpenmaxScore, OfNoImageIsNothing) {
  io::SetScores empty;

  OpenmaxScore(make_set(30, 1), classes, {}).add_to(empty);

  EXPECT_TRUE(empty.scores.at(0).second.empty());
}

}  // namespace
}  // namespace bcr::train
