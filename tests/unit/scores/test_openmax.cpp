#include "src/core/error.hpp"
#include "src/scores/openmax.hpp"
#include "tests/reference/openmax.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace {

using namespace bcr::scores;
namespace tolerance = bcr::test::tolerance;

struct Training {
  std::int32_t classes = 0;
  std::vector<float> logits;
  std::vector<std::int32_t> labels;

  LogitRows<float> rows() const { return {logits, classes}; }
};

/// Clouds around 6 e_c, some samples of which are misclassified.
Training make_training(const std::int32_t classes, const int per_class) {
  std::mt19937 random(17);
  Training training{classes, {}, {}};
  for (std::int32_t label = 0; label < classes; ++label) {
    for (int i = 0; i < per_class; ++i) {
      for (std::int32_t c = 0; c < classes; ++c) {
        const float noise = static_cast<float>(random() % 8192) / 1024 - 4;
        training.logits.push_back((c == label ? 6.0f : 0.0f) + noise);
      }
      training.labels.push_back(label);
    }
  }
  return training;
}

std::vector<double> row_of(const Training& training, const std::size_t i) {
  const auto row = training.rows().row(i);
  return {row.begin(), row.end()};
}

/// Means and distances of correctly classified samples by plain loops, then the fit under test in test_weibull.cpp.
WeibullTail reference_tail(const Training& training, const std::int32_t c, const std::size_t tail_size,
                           std::vector<double>& mean) {
  std::vector<std::vector<double>> members;
  for (std::size_t i = 0; i < training.labels.size(); ++i) {
    const auto row = row_of(training, i);
    const auto best = std::max_element(row.begin(), row.end()) - row.begin();
    if (training.labels[i] == c && best == c) members.push_back(row);
  }
  mean.assign(static_cast<std::size_t>(training.classes), 0.0);
  for (const auto& row : members) {
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += row[j] / static_cast<double>(members.size());
  }
  std::vector<double> distances;
  for (const auto& row : members) {
    double squares = 0;
    for (std::size_t j = 0; j < mean.size(); ++j) squares += (row[j] - mean[j]) * (row[j] - mean[j]);
    distances.push_back(std::sqrt(squares));
  }
  return WeibullTail::fit_high(distances, tail_size);
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double squares = 0;
  for (std::size_t j = 0; j < a.size(); ++j) squares += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(squares);
}

TEST(Openmax, GivesTheProbabilitiesOfItsDefinition) {
  for (const std::int32_t classes : {1, 3, 13}) {
    const Training training = make_training(classes, 65);
    const int alpha = std::min(10, classes);
    std::vector<std::vector<double>> means(static_cast<std::size_t>(classes));
    std::vector<WeibullTail> tails;
    for (std::int32_t c = 0; c < classes; ++c) tails.push_back(reference_tail(training, c, 20, means[c]));

    const Openmax openmax = Openmax::fit(training.rows(), training.labels, {});
    std::vector<double> probabilities(training.labels.size() * static_cast<std::size_t>(classes + 1));
    std::vector<double> scores(training.labels.size());
    openmax.probabilities(training.rows(), probabilities);
    openmax.scores(training.rows(), scores);

    for (std::size_t i = 0; i < training.labels.size(); ++i) {
      const auto row = row_of(training, i);
      const auto expected =
          bcr::reference::openmax(row, alpha, [&](const int c) { return tails[c].cdf(distance(row, means[c])); });
      for (std::size_t j = 0; j < expected.size(); ++j) {
        ASSERT_NEAR(probabilities[i * expected.size() + j], expected[j], tolerance::openmax) << i << " " << j;
      }
      ASSERT_NEAR(scores[i], 1 - expected.back(), tolerance::openmax);
    }
  }
}

/// Rows of 3 logits and 2 numbers more: those count in the distances, and nowhere else.
TEST(Openmax, MeasuresDistancesOfWholeRowsAndRanksLogits) {
  const Training training = make_training(3, 65);
  const std::size_t count = training.labels.size();
  std::vector<double> rows;
  std::vector<std::vector<double>> row(count), means(3, std::vector<double>(5, 0.0));
  for (std::size_t i = 0; i < count; ++i) {
    row[i] = row_of(training, i);
    for (const double extra : {7 + std::sin(double(i)), 40 * std::cos(3.0 * double(i))}) row[i].push_back(extra);
    rows.insert(rows.end(), row[i].begin(), row[i].end());
  }
  std::vector<std::vector<std::size_t>> members(3);
  for (std::size_t i = 0; i < count; ++i)
    if (std::max_element(row[i].begin(), row[i].begin() + 3) - row[i].begin() == training.labels[i])
      members[training.labels[i]].push_back(i);
  std::vector<WeibullTail> tails;
  for (std::size_t c = 0; c < 3; ++c) {
    for (const std::size_t i : members[c])
      for (std::size_t j = 0; j < 5; ++j) means[c][j] += row[i][j] / double(members[c].size());
    std::vector<double> distances;
    for (const std::size_t i : members[c]) distances.push_back(distance(row[i], means[c]));
    tails.push_back(WeibullTail::fit_high(distances, 20));
  }

  const LogitRows<double> all{rows, 3, 2};
  const Openmax openmax = Openmax::fit(all, training.labels, {});
  std::vector<double> probabilities(count * 4);
  openmax.probabilities(all, probabilities);

  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<double> logits(row[i].begin(), row[i].begin() + 3);
    const auto expected =
        bcr::reference::openmax(logits, 3, [&](const int c) { return tails[c].cdf(distance(row[i], means[c])); });
    for (std::size_t j = 0; j < 4; ++j) ASSERT_NEAR(probabilities[i * 4 + j], expected[j], tolerance::openmax) << i;
  }
  EXPECT_THROW(openmax.probabilities(LogitRows<double>{rows, 3, 1}, probabilities), bcr::ShapeError);
}

TEST(Openmax, GivesOutliersALowerScore) {
  const Training training = make_training(3, 200);
  const Openmax openmax = Openmax::fit(training.rows(), training.labels, {});
  const std::vector<double> tests{6, 0, 0, /* typical */ 40, 35, 30 /* far from every mean */};
  std::vector<double> scores(2);
  std::vector<double> collapsed(2);

  openmax.scores(LogitRows<double>{tests, 3}, scores);
  openmax.collapsed_scores(LogitRows<double>{tests, 3}, collapsed);

  EXPECT_GT(scores[0], 0.9);
  EXPECT_LT(scores[1], 0.1);
  EXPECT_GT(collapsed[0], collapsed[1]);
}

TEST(Openmax, WithoutUsableTailsIsTheSoftmaxOverClassesAndAZero) {
  // One correct sample per class: no tail. Then w = 0, v' = v and the unknown activation is 0.
  const std::vector<double> logits{3, 1, 0, 2};
  const std::vector<std::int32_t> labels{0, 1};
  const Openmax openmax = Openmax::fit(LogitRows<double>{logits, 2}, labels, {});
  std::vector<double> probabilities(6);
  std::vector<double> collapsed(2);

  openmax.probabilities(LogitRows<double>{logits, 2}, probabilities);
  openmax.collapsed_scores(LogitRows<double>{logits, 2}, collapsed);

  EXPECT_FALSE(openmax.tail(0).fitted());
  const double total = std::exp(3) + std::exp(1) + 1;
  EXPECT_NEAR(probabilities[0], std::exp(3) / total, tolerance::openmax);
  EXPECT_NEAR(probabilities[2], 1 / total, tolerance::openmax);
  EXPECT_NEAR(collapsed[0], std::log(std::exp(3) + std::exp(1)), tolerance::openmax);
}

TEST(Openmax, MeasuresEucosByLengthAndAngle) {
  // Members of class 0: (4, 0) and (2, 0), mean (3, 0), distances 1/200 + 0 both: degenerate, while (2, 1), (4, -1)
  // have equal lengths of difference but different angles.
  const std::vector<double> logits{4, 0, 2, 0, 2, 1, 4, -1};
  const std::vector<std::int32_t> labels{0, 0, 0, 0};
  const OpenmaxSettings settings{20, 10, OpenmaxDistance::eucos};

  const Openmax openmax = Openmax::fit(LogitRows<double>{logits, 2}, labels, settings);

  EXPECT_EQ(openmax.mean_activation(0)[0], 3);
  EXPECT_EQ(openmax.mean_activation(0)[1], 0);
  EXPECT_TRUE(openmax.tail(0).fitted());
  EXPECT_NEAR(openmax.tail(0).smallest(), 1.0 / 200, tolerance::openmax);
  EXPECT_FALSE(openmax.tail(1).fitted());
}

TEST(Openmax, RefusesWhatDoesNotFit) {
  const std::vector<double> logits{1, 2, 3, 4};
  const std::vector<double> nan{1, std::numeric_limits<double>::quiet_NaN()};
  const std::vector<std::int32_t> labels{0, 1};
  const std::vector<std::int32_t> wrong{0, 2};
  const Openmax openmax = Openmax::fit(LogitRows<double>{logits, 2}, labels, {});
  std::vector<double> dst(3);

  EXPECT_THROW(Openmax::fit(LogitRows<double>{logits, 3}, labels, {}), bcr::ShapeError);
  EXPECT_THROW(Openmax::fit(LogitRows<double>{logits, 2}, wrong, {}), bcr::ShapeError);
  EXPECT_THROW(Openmax::fit(LogitRows<double>{nan, 2}, std::span(labels).first(1), {}), bcr::NumericsError);
  EXPECT_THROW(Openmax::fit(LogitRows<double>{logits, 2}, labels, {20, 0}), bcr::ConfigError);
  EXPECT_THROW(openmax.scores(LogitRows<double>{logits, 2}, dst), bcr::ShapeError);
  EXPECT_THROW(openmax.scores(LogitRows<double>{logits, 4}, dst), bcr::ShapeError);
  EXPECT_THROW(openmax.probabilities(LogitRows<double>{logits, 2}, dst), bcr::ShapeError);
}

}  // namespace
