#include "src/core/error.hpp"
#include "src/scores/fitted_score.hpp"
#include "src/scores/pareto.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bcr::scores {
namespace {

/// Quantiles of a distribution by its inverse: a sample without noise.
template <class Inverse>
std::vector<double> sample(const std::size_t count, const Inverse& inverse) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(inverse((double(i) + 0.5) / double(count)));
  return values;
}

/// What lies above u of an exponential distribution is one again, xi = 0; of a uniform one uniform, xi = -1 and sigma = the
/// length of the tail.
TEST(ParetoTail, FindsShapeAndScale) {
  const ParetoTail exponential(sample(20000, [](const double p) { return -2 * std::log1p(-p); }), 0.1);
  EXPECT_NEAR(exponential.shape(), 0, 0.02);
  EXPECT_NEAR(exponential.scale(), 2, 0.04);
  EXPECT_NEAR(exponential.begin(), 2 * std::log(10), 0.01);
  for (const double x : {5.0, 8.0, 12.0}) EXPECT_NEAR(exponential.above(x) / std::exp(-x / 2), 1, 0.05) << x;

  const ParetoTail uniform(sample(20000, [](const double p) { return p; }), 0.25);
  EXPECT_NEAR(uniform.shape(), -1, 0.01);
  EXPECT_NEAR(uniform.scale(), 0.25, 0.005);
  EXPECT_NEAR(uniform.above(0.5), 0.5, 1e-4);
  EXPECT_NEAR(uniform.above(0.9), 0.1, 1e-3);
  EXPECT_EQ(uniform.above(1.1), 0);
}

TEST(ParetoTail, IsTheSampleWhereThereIsTooLittleOfIt) {
  const ParetoTail few({3, 1, 2, 4}, 0.5);
  EXPECT_FALSE(few.is_defined());
  EXPECT_EQ(few.above(2), 0.5);
  EXPECT_EQ(few.quantile(0.95), 4);
  EXPECT_FALSE(ParetoTail(std::vector<double>(1000, 7.0), 0.1).is_defined());
  EXPECT_THROW(ParetoTail({}, 0.1), ShapeError);
}

constexpr std::size_t classes = 3, count = 600;

/// Errors for the right class below 1, for others from `far` on; logits of the label.
struct Samples {
  explicit Samples(const double far) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto y = static_cast<std::int32_t>(i % classes);
      label.push_back(y);
      const double p = double(i * 7919 % count) / count;
      for (std::int32_t c = 0; c < std::int32_t(classes); ++c) {
        error.push_back(c == y ? 0.1 + 0.9 * p : far + p);
        output.push_back(c == y ? 4.f : 0.f);
      }
    }
  }
  SampleRows rows(const SampleRows::Origin origin) const {
    return {.count = count,
            .columns = classes,
            .output = output,
            .label = label,
            .origin = origin,
            .class_error = error};
  }
  std::vector<double> error;
  std::vector<float> output;
  std::vector<std::int32_t> label;
};

std::unique_ptr<FittedScore> fitted(const Samples& samples) {
  auto score = make_fitted_score("c2ae", {.classes = classes, .gives = {.conditioned = true}}, {});
  fit(*score, samples.rows(SampleRows::Origin::training));
  return score;
}

TEST(C2ae, SetsItsThresholdBetweenTheErrorsForTheRightClassAndForAnother) {
  const auto score = fitted(Samples(2));
  EXPECT_EQ(score->undefined(), "");
  EXPECT_TRUE(score->remarks().empty());
  const double threshold = score->state().doubles("threshold", {1})[0];
  EXPECT_GT(threshold, 0.95);
  EXPECT_LT(threshold, 2.05);
}

TEST(C2ae, AnswersWithTheClassifierUnlessNoClassReconstructsTheImage) {
  const Samples samples(2);
  const auto score = fitted(samples);
  Samples query(2);
  for (std::size_t c = 0; c < classes; ++c) query.error[c] = 5;     // image 0, for all classes
  query.error[classes + 0] = 0.2, query.error[classes + 1] = 2.5;  // image 1, of class 1, for class 0
  std::vector<double> values(count);
  std::vector<std::int32_t> decisions(count);
  score->score(query.rows(SampleRows::Origin::other), values);
  score->decide(query.rows(SampleRows::Origin::other), decisions);

  EXPECT_EQ(values[0], -5);
  EXPECT_EQ(decisions[0], std::int32_t(classes));
  EXPECT_EQ(values[1], -0.2);
  EXPECT_EQ(decisions[1], 1);

  const auto again = make_fitted_score("c2ae", {.classes = classes, .gives = {.conditioned = true}}, {});
  again->restore(score->state());
  std::vector<std::int32_t> repeated(count);
  again->decide(query.rows(SampleRows::Origin::other), repeated);
  EXPECT_EQ(repeated, decisions);
}

TEST(C2ae, WantsADecoderAndErrorsForEveryClass) {
  EXPECT_THROW(make_fitted_score("c2ae", {.classes = classes}, {}), ConfigError);
  const auto score = make_fitted_score("c2ae", {.classes = classes + 1, .gives = {.conditioned = true}}, {});
  EXPECT_THROW(fit(*score, Samples(2).rows(SampleRows::Origin::training)), ShapeError);
}

}  // namespace
}  // namespace bcr::scores
