#include "src/core/error.hpp"
#include "src/scores/aosr.hpp"
#include "src/scores/isolation_forest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace bcr::scores {
namespace {

std::vector<float> normal_rows(const std::size_t count, const std::size_t d, const unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> rows(count * d);
  for (float& x : rows) x = normal(random);
  return rows;
}

TEST(IsolationForest, MeanSearchLengthHasKnownValues) {
  EXPECT_EQ(mean_search_length(0), 0);
  EXPECT_EQ(mean_search_length(1), 0);
  EXPECT_EQ(mean_search_length(2), 1);
  for (const auto& [n, expected] : {std::pair(3, 1.2073923576), std::pair(4, 1.8516559071), std::pair(16, 4.6955317320),
                                    std::pair(256, 10.2447709201), std::pair(27000, 19.5616156184)})
    EXPECT_NEAR(mean_search_length(std::size_t(n)), expected, 1e-9);
}

TEST(IsolationForest, TwoRowsAreAlwaysOneCutApart) {
  const IsolationForest forest(std::vector<float>{0, 1, 5, 2}, 2, {.trees = 30, .samples = 1});
  for (const std::vector<float>& query : {std::vector<float>{0, 1}, {9, 9}, {2, 1.5f}}) {
    EXPECT_EQ(forest.mean_path_length(query.data()), 1);
    EXPECT_NEAR(forest.anomaly(query.data()), 0.5, 1e-15);
  }
}

/// {0, 1, 10}: the first cut falls above 1 with probability 9/10. Expected lengths 1.1 (of 10), 1.9 (of 0), 2 (of 1).
TEST(IsolationForest, HasTheExpectedPathsOfThreePoints) {
  const int trees = 20000;
  const IsolationForest forest(std::vector<float>{0, 1, 10}, 1, {.trees = trees, .samples = 1});
  for (const auto& [x, expected] : {std::pair(10.0f, 1.1), std::pair(0.0f, 1.9), std::pair(1.0f, 2.0)})
    EXPECT_NEAR(forest.mean_path_length(&x), expected, 5 * 0.3 / std::sqrt(double(trees))) << x;
}

TEST(IsolationForest, TreesHoldTheirRowsAndKeepTheDepth) {
  const std::vector<float> rows = normal_rows(333, 3, 1);
  const IsolationForest forest(rows, 3, {.trees = 20});
  EXPECT_EQ(forest.rows_per_tree(), 299u);
  EXPECT_EQ(forest.depth_limit(), 9);
  for (const auto& tree : forest.trees()) {
    std::size_t in_leaves = 0;
    std::vector<int> depth(tree.size(), 0);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      if (tree[i].feature < 0) {
        in_leaves += tree[i].rows;
        continue;
      }
      EXPECT_EQ(tree[tree[i].left].rows + tree[tree[i].left + 1].rows, tree[i].rows);
      EXPECT_GT(tree[tree[i].left].rows, 0u);
      EXPECT_GT(tree[tree[i].left + 1].rows, 0u);
      depth[tree[i].left] = depth[tree[i].left + 1] = depth[i] + 1;
    }
    EXPECT_EQ(in_leaves, 299u);
    EXPECT_LE(*std::max_element(depth.begin(), depth.end()), 9);
  }
}

TEST(IsolationForest, NeverCutsAConstantFeature) {
  std::vector<float> rows = normal_rows(100, 3, 2);
  for (std::size_t i = 0; i < 100; ++i) rows[3 * i + 1] = 7;
  const IsolationForest forest(rows, 3, {.trees = 20});
  for (const auto& tree : forest.trees())
    for (const auto& node : tree) EXPECT_NE(node.feature, 1);
  const IsolationForest equal(std::vector<float>(100, 3.0f), 1, {.trees = 3, .samples = 1});
  const float query = 3;
  EXPECT_NEAR(equal.anomaly(&query), 0.5, 1e-12);  // one leaf: the usual length
}

TEST(IsolationForest, IsolatesWhatIsFarAway) {
  const std::vector<float> rows = normal_rows(500, 2, 3);
  const IsolationForest forest(rows, 2, {});
  const std::vector<float> far{6, 6}, centre{0, 0};
  EXPECT_LT(forest.anomaly(centre.data()), 0.5);
  for (std::size_t i = 0; i < 500; ++i) EXPECT_LE(forest.anomaly(rows.data() + 2 * i), forest.anomaly(far.data()));
}

TEST(IsolationForest, DoesNotSeeScalesOfFeatures) {
  std::vector<float> rows = normal_rows(200, 2, 4);
  std::vector<float> scaled = rows;
  for (std::size_t i = 0; i < 200; ++i) scaled[2 * i] *= 1024;  // exact
  const IsolationForest forest(rows, 2, {}), other(scaled, 2, {});
  for (std::size_t i = 0; i < 200; ++i)
    EXPECT_EQ(forest.anomaly(rows.data() + 2 * i), other.anomaly(scaled.data() + 2 * i));
}

TEST(Aosr, PointsFillTheBoxMadeWider) {
  const std::vector<float> codes{0, 10, 4, 20, 2, 12};
  const auto points = aosr_points(codes, 2, 5000, 0);
  for (std::size_t j = 0; j < 2; ++j) {
    const double low = j == 0 ? -0.4 : 9, high = j == 0 ? 4.4 : 21;
    double mean = 0, least = 1e9, most = -1e9;
    for (std::size_t i = 0; i < 5000; ++i) {
      const double x = points[2 * i + j];
      mean += x / 5000;
      least = std::min(least, x);
      most = std::max(most, x);
    }
    EXPECT_GE(least, low);
    EXPECT_LE(most, high);
    EXPECT_NEAR(least, low, 0.01 * (high - low));
    EXPECT_NEAR(most, high, 0.01 * (high - low));
    EXPECT_NEAR(mean, (low + high) / 2, 5 * (high - low) / std::sqrt(12 * 5000.0));
  }
}

TEST(Aosr, WeightsHaveMeanOneAndZerosWhereItIsDense) {
  std::vector<double> anomaly;
  for (int i = 0; i < 1000; ++i) anomaly.push_back(0.3 + 0.0004 * ((i * 37) % 1000));
  const auto weights = aosr_weights(anomaly, 0.1);
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1000, 1e-9);
  EXPECT_EQ(std::count(weights.begin(), weights.end(), 0.0), 101);
  for (std::size_t i = 0; i < 1000; ++i)
    for (const std::size_t k : {std::size_t{0}, std::size_t{500}})
      if (anomaly[i] > anomaly[k]) EXPECT_GE(weights[i], weights[k]);
  EXPECT_EQ(aosr_weights(std::vector<double>(4, 0.5), 0.1), std::vector<double>(4, 1.0));
}

TEST(Aosr, GradientAgreesWithDifferences) {
  const std::size_t d = 5, classes = 3, N = 37;
  const AosrDetector detector(d, classes);
  const std::vector<float> rows = normal_rows(N, d, 5);
  std::vector<std::int32_t> targets;
  std::vector<double> weights;
  for (std::size_t i = 0; i < N; ++i) {
    targets.push_back(std::int32_t(i % (classes + 1)));
    weights.push_back(0.1 + 0.05 * double(i % 7));
  }
  std::vector<double> parameters = detector.initial(3);
  for (std::size_t k = 0; k <= classes; ++k) parameters[(classes + 1) * d + k] = 0.1 * double(k);
  const auto loss = [&](const std::vector<double>& at) {
    return detector.evaluate(at, rows, targets, weights, AosrDetector::Gradient::wanted).loss;
  };

  const auto sums = detector.evaluate(parameters, rows, targets, weights, AosrDetector::Gradient::wanted);

  ASSERT_EQ(sums.gradient.size(), detector.parameters());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    std::vector<double> above = parameters, below = parameters;
    above[i] += 1e-5;
    below[i] -= 1e-5;
    EXPECT_NEAR(sums.gradient[i], (loss(above) - loss(below)) / 2e-5, 1e-8) << i;
  }
  // The value and the counts by their definition.
  double expected = 0;
  std::size_t right = 0, unknown = 0;
  for (std::size_t i = 0; i < N; ++i) {
    std::vector<double> z(classes + 1);
    for (std::size_t k = 0; k <= classes; ++k) {
      z[k] = parameters[(classes + 1) * d + k];
      for (std::size_t j = 0; j < d; ++j) z[k] += parameters[k * d + j] * double(rows[i * d + j]);
    }
    double sum = 0;
    for (const double value : z) sum += std::exp(value);
    expected += weights[i] * (std::log(sum) - z[std::size_t(targets[i])]);
    const auto best = std::max_element(z.begin(), z.end()) - z.begin();
    right += best == targets[i] ? 1 : 0;
    unknown += best == std::ptrdiff_t(classes) ? 1 : 0;
    std::vector<double> p(classes + 1);
    detector.probabilities(parameters, rows.data() + i * d, p);
    EXPECT_NEAR(p[0], std::exp(z[0]) / sum, 1e-13);
  }
  EXPECT_NEAR(sums.loss, expected, 1e-12 * expected);
  EXPECT_EQ(sums.right, right);
  EXPECT_EQ(sums.unknown, unknown);
}

TEST(Aosr, StopsByThePublishedRule) {
  using Verdict = AosrStopRule::Verdict;
  AosrStopRule falling;
  for (const double accuracy : {0.99, 0.98, 0.97, 0.96}) EXPECT_EQ(falling.after_epoch(accuracy), Verdict::store);
  EXPECT_EQ(falling.after_epoch(0.94), Verdict::stop);

  AosrStopRule waiting;
  EXPECT_EQ(waiting.after_epoch(0.99), Verdict::store);
  for (int epoch = 2; epoch <= 15; ++epoch) EXPECT_EQ(waiting.after_epoch(0.995), Verdict::go_on) << epoch;
  EXPECT_EQ(waiting.after_epoch(0.995), Verdict::stop);
}

/// Two blobs at (4, 4) and (-4, -4): after the second stage the corners of the box are unknown, the blobs are not.
TEST(Aosr, LearnsThatTheCornersAreUnknown) {
  std::vector<float> codes = normal_rows(600, 2, 6);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < 600; ++i) {
    labels.push_back(std::int32_t(i % 2));
    codes[2 * i] = 0.4f * codes[2 * i] + (i % 2 == 0 ? 4.0f : -4.0f);
    codes[2 * i + 1] = 0.4f * codes[2 * i + 1] + (i % 2 == 0 ? 4.0f : -4.0f);
  }
  AosrSettings settings;
  settings.lr = 0.003;  // 600 samples make few steps
  const AosrFit fit = fit_aosr(codes, 2, labels, 2, settings);

  const AosrDetector detector(2, 2);
  std::size_t kept = 0;
  std::vector<double> p(3);
  const auto answer = [&](const float* const x) {
    detector.probabilities(fit.parameters, x, p);
    return std::max_element(p.begin(), p.end()) - p.begin();
  };
  for (std::size_t i = 0; i < 600; ++i) kept += answer(codes.data() + 2 * i) == labels[i] ? 1 : 0;
  EXPECT_GE(double(kept), 0.9 * 600);
  for (const auto& corner : {std::array{-6.0f, 6.0f}, std::array{6.0f, -6.0f}}) EXPECT_EQ(answer(corner.data()), 2);
  EXPECT_GT(fit.kept_epoch, 0);
  EXPECT_LT(fit.unknown_share, 0.05);
}

}  // namespace
}  // namespace bcr::scores
