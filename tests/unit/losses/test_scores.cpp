#include "kernels/gamma/inclusion_plan.hpp"
#include "losses/scores/row_score.hpp"
#include "src/core/instances.hpp"
#include "tests/reference/losses.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/loss_run.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace bcr::test {

/// max_c z_c / (1 + ||f||): a score that the product does not have.
struct ShrunkLogit {
  static constexpr losses::ScoreNeeds needs{.feature_norm = true};
  KOKKOS_FUNCTION double operator()(const losses::Row& row) const {
    return row.scale * row.best / (1 + row.feature_norm);
  }
};

namespace {

using losses::ScoreShape;

/// Adds it as anybody could, once. What all scores must do is then asked of it too.
void add_score_from_outside() {
  if (losses::all_scores().contains("shrunk_logit")) return;
  losses::all_scores().add({"shrunk_logit", losses::ScoreEntry::Fits::both, "max_c z_c / (1 + |f|)", "", {},
                            losses::row_score_of<losses::plain<ShrunkLogit>>()});
}

template <class T>
struct Scored {
  std::vector<double> scores;
  std::vector<std::int32_t> predictions;
};

template <class Exec, class T>
Scored<T> score(const std::string_view name, const ScoreShape& shape, const HostMatrix<double>& outputs,
                const HostMatrix<double>& features) {
  const Vector<double, Exec> scores("bcr::tests::scores", outputs.rows);
  const Labels<Exec> predictions("bcr::tests::predictions", outputs.rows);
  const auto made = losses::make_score<Exec, T>(name, shape);
  made->evaluate(Exec{}, to_device<Exec>(converted<T>(outputs)), to_device<Exec>(converted<T>(features)), scores,
                 predictions);
  Kokkos::fence();
  return {to_host(scores), to_host(predictions)};
}

/// The formulas of docs/losses.md, in long double.
double expected_score(const std::string_view name, const ScoreShape& shape, const HostMatrix<double>& outputs,
                      const HostMatrix<double>& features, const int i) {
  using reference::Real;
  const bool distances = shape.outputs == HeadOutputs::squared_distances;
  const auto z = [&](const int c) {
    return distances ? -Real(shape.logit_scale) * outputs(i, c) : Real(outputs(i, c));
  };
  const Real temperature = name == "energy" ? shape.temperature : 1;
  Real peak = z(0), sum = 0, mean = 0, norm = 0, best = z(0);
  const bool known_alone = name == "energy" || name == "uniform_cross_entropy" || name == "gen";
  const int columns = known_alone ? shape.classes : outputs.columns;
  for (int c = 0; c < columns; ++c) peak = std::max(peak, z(c));
  for (int c = 0; c < shape.classes; ++c) best = std::max(best, z(c));
  for (int c = 0; c < columns; ++c) sum += std::exp((z(c) - peak) / temperature);
  for (int c = 0; c < columns; ++c) mean += z(c) / columns;
  for (int d = 0; d < features.columns; ++d) norm += Real(features(i, d)) * features(i, d);
  const Real log_sum_exp = peak / temperature + std::log(sum);
  const Real nearest = -best / Real(shape.logit_scale);
  if (name == "max_softmax") return double(std::exp(best - log_sum_exp));
  if (name == "softmax_norm") return double(std::exp(best - log_sum_exp) * std::sqrt(norm));
  if (name == "min_distance") return double(-nearest);
  if (name == "inclusion") return double(reference::gamma_tails(Real(shape.features) / 2, nearest / 2).log_q);
  if (name == "energy") return double(temperature * log_sum_exp);
  if (name == "max_logit") return double(best);
  if (name == "shrunk_logit") return double(best / (1 + std::sqrt(norm)));
  if (name == "gen") {
    std::vector<Real> terms;
    for (int c = 0; c < columns; ++c) terms.push_back(z(c));
    std::sort(terms.begin(), terms.end(), std::greater<>());
    Real total = 0;
    for (int c = 0; c < std::min(columns, 100); ++c) {
      Real others = 0;  // 1 - p_c as a sum, not as a difference
      for (int k = 0; k < columns; ++k) others += k == c ? 0 : std::exp(terms[k] - log_sum_exp);
      total += std::pow(std::exp(terms[c] - log_sum_exp) * others, Real(0.1));
    }
    return double(-total);
  }
  if (name == "uniform_cross_entropy") return double(log_sum_exp - mean);
  ADD_FAILURE() << "no formula for the score " << name;
  return 0;
}

template <class Exec>
class Scores : public ::testing::Test {};
TYPED_TEST_SUITE(Scores, ExecSpaces);

template <class Exec, class T>
void expect_scores(const HeadOutputs kind, const int N, const int classes, const int columns, const int n) {
  const bool distances = kind == HeadOutputs::squared_distances;
  const ScoreShape shape{kind, classes, n, distances ? 0.5 : 1.0, 2.0};
  auto outputs =
      distances ? random_reals<double>(N, columns, 0.4 * n, 2.0 * n, 3) : random_reals<double>(N, columns, -5, 5, 3);
  auto features = random_reals<double>(N, n, -1, 1, 4);
  for (double& x : outputs.entries) x = static_cast<float>(x);
  for (double& x : features.entries) x = static_cast<float>(x);
  for (const losses::ScoreEntry& info : losses::all_scores().entries()) {
    if (!info.fits_outputs(kind)) continue;

    const Scored<T> found = score<Exec, T>(info.name, shape, outputs, features);

    for (int i = 0; i < N; ++i) {
      const double expected = expected_score(info.name, shape, outputs, features, i);
      EXPECT_NEAR(found.scores[i], expected, tolerance::loss<double>() * (1 + std::abs(expected))) << info.name << i;
      int best = 0;
      for (int c = 1; c < classes; ++c)
        if (distances ? outputs(i, c) < outputs(i, best) : outputs(i, c) > outputs(i, best)) best = c;
      EXPECT_EQ(found.predictions[i], best) << info.name << i;
    }
  }
}

TYPED_TEST(Scores, AgreeWithTheirFormulas) {
  add_score_from_outside();
  for (const auto kind : {HeadOutputs::squared_distances, HeadOutputs::logits}) {
    for (const int N : {0, 1, 5, 67}) expect_scores<TypeParam, float>(kind, N, 10, 10, 12);
    expect_scores<TypeParam, double>(kind, 3, 1, 1, 1);
    expect_scores<TypeParam, double>(kind, 5, 1500, 1500, 65);
  }
  expect_scores<TypeParam, float>(HeadOutputs::logits, 9, 6, 7,
                                  12);  // a background class is never predicted, nor a sign of the known
}

TYPED_TEST(Scores, OrderSamplesAlikeByDistanceAndByInclusion) {
  const int N = 200, n = 128;
  HostMatrix<double> outputs(N, 1);
  for (int i = 0; i < N; ++i) outputs(i, 0) = n * (0.5 + 0.01 * i);  // farthest last
  const ScoreShape shape{HeadOutputs::squared_distances, 1, n};

  const auto by_distance = score<TypeParam, double>("min_distance", shape, outputs, HostMatrix<double>(N, n));
  const auto by_inclusion = score<TypeParam, double>("inclusion", shape, outputs, HostMatrix<double>(N, n));

  for (int i = 1; i < N; ++i) {
    EXPECT_LT(by_distance.scores[i], by_distance.scores[i - 1]);
    EXPECT_LT(by_inclusion.scores[i], by_inclusion.scores[i - 1]);
  }
}

TYPED_TEST(Scores, PredictTheLowestOfEqualClasses) {
  HostMatrix<double> outputs(2, 3);
  outputs.entries = {4, 2, 2, 1, 1, 3};
  const HostMatrix<double> features(2, 2);

  const auto nearest =
      score<TypeParam, float>("min_distance", {HeadOutputs::squared_distances, 3, 2}, outputs, features);
  const auto largest = score<TypeParam, float>("max_softmax", {HeadOutputs::logits, 3, 2}, outputs, features);

  EXPECT_EQ(nearest.predictions, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(largest.predictions, (std::vector<std::int32_t>{0, 2}));
}

TYPED_TEST(Scores, GiveThePublishedValuesOfSmallCases) {
  HostMatrix<double> outputs(3, 3);
  outputs.entries = {2, 1, 0, 20, 0, 0, 40, 0, 0};
  const ScoreShape shape{HeadOutputs::logits, 3, 2};

  const auto gen = score<TypeParam, float>("gen", shape, outputs, HostMatrix<double>(3, 2));

  EXPECT_NEAR(gen.scores[0], -2.4838428874, 1e-9);
  EXPECT_NEAR(gen.scores[1], -0.4157193313, 1e-9);  // 1 - p = 4e-9: as a difference in float it would be 0
  EXPECT_NEAR(gen.scores[2], -0.0562614935, 1e-9);
}

TYPED_TEST(Scores, RefuseShapesThatDoNotFit) {
  const auto made = losses::make_score<TypeParam, float>("max_softmax", ScoreShape{HeadOutputs::logits, 3, 2});
  const Matrix<float, TypeParam> features("bcr::tests::features", 4, 2), outputs("bcr::tests::outputs", 4, 3);
  const Matrix<float, TypeParam> narrow("bcr::tests::narrow", 4, 2);
  const Vector<double, TypeParam> scores("bcr::tests::scores", 4);
  const Labels<TypeParam> labels("bcr::tests::labels", 4), few("bcr::tests::few", 3);

  EXPECT_THROW(made->evaluate(TypeParam{}, narrow, features, scores, labels), ShapeError);
  EXPECT_THROW(made->evaluate(TypeParam{}, outputs, outputs, scores, labels), ShapeError);
  EXPECT_THROW(made->evaluate(TypeParam{}, outputs, features, scores, few), ShapeError);
}

}  // namespace
}  // namespace bcr::test
