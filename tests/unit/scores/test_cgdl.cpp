#include "src/core/error.hpp"
#include "src/scores/cgdl.hpp"
#include "src/scores/fitted_score.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bcr::scores {
namespace {

namespace tolerance = test::tolerance;

std::vector<double> unit_matrix(const std::size_t d) {
  std::vector<double> matrix(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) matrix[i * d + i] = 1;
  return matrix;
}

/// Features of one class in two dimensions with errors, all recognised; the class is the only one.
struct OneClass {
  static constexpr std::size_t count = 500, d = 2;
  std::vector<float> features, outputs = std::vector<float>(count, 1.0f);
  std::vector<std::int32_t> labels = std::vector<std::int32_t>(count, 0);
  std::vector<double> errors;
  HeadModel head{HeadOutputs::logits, 1, d, 1, {1, 0}, {0}, 0, {.gaussian = true}};

  OneClass() {
    std::mt19937_64 random(3);
    const auto uniform = [&] { return double(random() >> 11) * 0x1p-53; };
    for (std::size_t i = 0; i < count; ++i) {
      const double x = uniform() + uniform() - 1;
      features.push_back(static_cast<float>(4 + 3 * x));
      features.push_back(static_cast<float>(x + 0.2 * (uniform() - 0.5)));
      errors.push_back(7 + uniform());
    }
  }
  SampleRows training() const {
    SampleRows rows{count, d, 1, features, outputs, labels, SampleRows::Origin::training};
    rows.error = errors;
    return rows;
  }
  std::int32_t decision(const FittedScore& score, const std::vector<float>& feature, const double error) const {
    const std::vector<float> output{1};
    const std::vector<double> errors_of_one{error};
    SampleRows rows{1, d, 1, feature, output, {}};
    rows.error = errors_of_one;
    std::vector<std::int32_t> answer(1);
    score.decide(rows, answer);
    std::vector<double> value(1);
    score.score(rows, value);
    EXPECT_EQ(value[0] >= -1, answer[0] == 0);
    return answer[0];
  }
};

/// Of independent coordinates q = Phi^-1((1 + 0.5^(1/d)) / 2), and the corner has the squared length d q^2. The median of
/// 20,000 draws has a standard error of 1 / (2 f(q) sqrt(20000)), some 0.004 here.
TEST(Cgdl, CornerOfIndependentFeatures) {
  for (const auto& [d, q] : {std::pair<std::size_t, double>{8, 1.7336}, {16, 2.0296}, {32, 2.3004}}) {
    EXPECT_NEAR(median_largest_coordinate(unit_matrix(d), d, {}), q, 4 * 0.004) << d;
    const ClassGaussian gaussian(std::vector<double>(d, 0.0), unit_matrix(d), ClassGaussian::Shape::full, {});
    EXPECT_NEAR(gaussian.squared_radius() / (double(d) * q * q), 1, 0.02) << d;
  }
}

TEST(Cgdl, QuantilesOfChiSquare) {
  EXPECT_NEAR(chi_square_quantile(2, 0.95), -2 * std::log(0.05), 1e-12);
  EXPECT_NEAR(chi_square_quantile(2, 0.01), -2 * std::log(0.99), 1e-12);
  EXPECT_NEAR(chi_square_quantile(32, 0.5), 31.336, 5e-4);
}

/// (x - m)^T S^-1 (x - m) by the inverse of a 2 x 2 matrix, with what is added to the diagonal.
TEST(Cgdl, DistancesAreThoseOfTheInverseCovariance) {
  const ClassGaussian gaussian({1, -2}, {4, 1, 1, 3}, ClassGaussian::Shape::full, {});
  const double ridge = 1e-6 * 3.5, a = 4 + ridge, b = 3 + ridge, determinant = a * b - 1;
  const std::vector<float> x{3, 1};

  EXPECT_NEAR(gaussian.squared_distance(x), (b * 2 * 2 - 2 * 2 * 3 + a * 3 * 3) / determinant, 1e-12);
}

TEST(Cgdl, TakesTheDiagonalOfACovarianceWithoutFactor) {
  const ClassGaussian gaussian({0, 0}, {1, 2, 2, 1}, ClassGaussian::Shape::full, {});
  const std::vector<float> x{1, 1};

  EXPECT_NEAR(gaussian.squared_distance(x), 2 / (1 + 1e-6), 1e-12);
  EXPECT_TRUE(ClassGaussian({1, 1}, {0, 0, 0, 0}, ClassGaussian::Shape::full, {}).mean().empty());
}

TEST(Cgdl, MomentsAreThoseOfAllErrors) {
  ErrorMoments moments;
  for (const double x : {1e9 + 1, 1e9 + 2, 1e9 + 3, 1e9 + 6}) moments.add(x);

  EXPECT_EQ(moments.mean(), 1e9 + 3);
  EXPECT_NEAR(moments.deviation(), std::sqrt(3.5), 1e-12);
}

/// tau = mean + 2 deviations of the errors, in plain loops.
TEST(Cgdl, RejectsByEitherRule) {
  const OneClass data;
  const auto score = make_fitted_score("cgdl", data.head, {});
  fit(*score, data.training());
  long double mean = 0, square = 0;
  for (const double r : data.errors) mean += r / data.errors.size();
  for (const double r : data.errors) square += (r - mean) * (r - mean) / data.errors.size();
  const double tau = double(mean + 2 * std::sqrt(square));
  const std::vector<float> inside{4, 0}, outside{4, 3};

  EXPECT_EQ(data.decision(*score, inside, tau - 1e-9), 0);
  EXPECT_EQ(data.decision(*score, inside, tau + 1e-9), 1);
  EXPECT_EQ(data.decision(*score, outside, 1), 1);

  FittedScoreOptions one_rule;
  one_rule.cgdl.latent_rule = false;
  const auto by_error = make_fitted_score("cgdl", data.head, one_rule);
  fit(*by_error, data.training());
  EXPECT_EQ(data.decision(*by_error, outside, 1), 0);
  one_rule.cgdl = {.reconstruction_rule = false};
  const auto by_features = make_fitted_score("cgdl", data.head, one_rule);
  fit(*by_features, data.training());
  EXPECT_EQ(data.decision(*by_features, inside, 100), 0);
  one_rule.cgdl.latent_rule = false;
  EXPECT_THROW(make_fitted_score("cgdl", data.head, one_rule), ConfigError);
}

TEST(Cgdl, IsUndefinedIfNothingIsRecognised) {
  OneClass data;
  data.head.classes = 2;
  data.head.weights = {1, 0, 0, 1};
  data.head.bias = {0, 0};
  data.outputs.assign(2 * OneClass::count, 0.0f);  // class 0, the lower of two equals, but every label is 1
  data.labels.assign(OneClass::count, 1);
  SampleRows rows = data.training();
  rows.columns = 2;
  const auto score = make_fitted_score("cgdl", data.head, {});
  fit(*score, rows);

  EXPECT_NE(score->undefined(), "");
  EXPECT_EQ(score->remarks().size(), 2u);
}

}  // namespace
}  // namespace bcr::scores
