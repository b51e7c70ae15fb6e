#include "src/core/error.hpp"
#include "src/scores/fitted_score.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace bcr::scores {
namespace {

using Real = long double;

/// Rows with the spans that show them.
struct Samples {
  static constexpr std::size_t latents = 4;

  std::size_t n = 0, columns = 0;
  std::vector<float> features, outputs;
  std::vector<std::int32_t> labels;
  std::vector<float> latent{};
  std::vector<float> moved{};
  std::vector<double> errors{};
  std::vector<double> class_errors{};

  std::size_t count() const { return labels.size(); }
  SampleRows rows(const SampleRows::Origin origin, const std::size_t first, const std::size_t count) const {
    return {count,
            n,
            columns,
            std::span(features).subspan(first * n, count * n),
            std::span(outputs).subspan(first * columns, count * columns),
            std::span(labels).subspan(first, count),
            origin,
            latent.empty() ? 0 : latents,
            latent.empty() ? std::span<const float>() : std::span(latent).subspan(first * latents, count * latents),
            moved.empty() ? std::span<const float>() : std::span(moved).subspan(first * columns, count * columns),
            errors.empty() ? std::span<const double>() : std::span(errors).subspan(first, count),
            class_errors.empty() ? std::span<const double>()
                                 : std::span(class_errors).subspan(first * (columns - 1), count * (columns - 1))};
  }
  SampleRows training() const { return rows(SampleRows::Origin::training, 0, count()); }
  SampleRows queries() const { return rows(SampleRows::Origin::other, 0, count()); }
  const float* f(const std::size_t i) const { return features.data() + i * n; }
  const float* z(const std::size_t i) const { return outputs.data() + i * columns; }
};

double uniform(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

/// W, b and clouds around 3 e_label whose outputs are the head's, and one column more that must not count.
struct Problem {
  HeadModel head;
  Samples training, test;

  Problem(const HeadOutputs outputs, const std::size_t classes, const std::size_t n) {
    std::mt19937_64 random(7);
    head = {outputs, classes, n, 0.5, {}, {}, Samples::latents, {true, true, true, true}};
    for (std::size_t i = 0; i < classes * n; ++i) head.weights.push_back(static_cast<float>(uniform(random) - 0.3));
    if (outputs == HeadOutputs::logits)
      for (std::size_t c = 0; c < classes; ++c) head.bias.push_back(static_cast<float>(4 + uniform(random)));
    training = make(300, random);
    test = make(41, random);
  }

  Samples make(const std::size_t count, std::mt19937_64& random) const {
    Samples samples{head.features, head.classes + 1, {}, {}, {}};
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t label = i % head.classes;
      for (std::size_t j = 0; j < head.features; ++j) {
        // The last feature is dead; the spread of the others differs.
        const double spread = j + 1 == head.features ? 0 : 1 + 0.1 * double(j % 5);
        samples.features.push_back(static_cast<float>((j == label ? 3 : 0) + spread * (uniform(random) - 0.2)));
      }
      for (std::size_t c = 0; c < head.classes; ++c)
        samples.outputs.push_back(output(samples.features.data() + i * head.features, c));
      samples.outputs.push_back(50);
      samples.labels.push_back(static_cast<std::int32_t>(label));
    }
    std::mt19937_64 of_latents(count);
    for (std::size_t i = 0; i < Samples::latents * count; ++i)
      samples.latent.push_back(static_cast<float>(uniform(of_latents)));
    for (const float output : samples.outputs)
      samples.moved.push_back(output + static_cast<float>(uniform(of_latents)));
    for (std::size_t i = 0; i < count; ++i) samples.errors.push_back(5 + uniform(of_latents));
    for (std::size_t i = 0; i < count * head.classes; ++i) samples.class_errors.push_back(1 + uniform(of_latents));
    return samples;
  }
  float output(const float* const f, const std::size_t c) const {
    Real sum = head.outputs == HeadOutputs::logits ? Real(head.bias[c]) : 0;
    for (std::size_t j = 0; j < head.features; ++j) {
      const Real w = head.weights[c * head.features + j];
      sum += head.outputs == HeadOutputs::logits ? w * f[j] : (f[j] - w) * (f[j] - w);
    }
    return static_cast<float>(sum);
  }
};

std::vector<double> scores_of(const FittedScore& score, const SampleRows& rows) {
  std::vector<double> values(rows.count);
  score.score(rows, values);
  return values;
}

std::vector<double> fit_and_score(const std::string& name, const Problem& problem,
                                  const FittedScoreOptions& options = {}) {
  const auto score = make_fitted_score(name, problem.head, options);
  fit(*score, problem.training.training());
  EXPECT_EQ(score->undefined(), "") << name;
  return scores_of(*score, problem.test.queries());
}

/// x^T A^+ x by Gauss' elimination on the rows and columns that are not zero.
Real quadratic_form_of_inverse(std::vector<std::vector<Real>> a, std::vector<Real> x) {
  const std::vector<Real> right = x;
  const std::size_t n = x.size();
  std::vector<std::size_t> alive;
  for (std::size_t i = 0; i < n; ++i)
    if (a[i][i] > 0) alive.push_back(i);
  for (std::size_t k = 0; k < alive.size(); ++k) {
    const std::size_t p = alive[k];
    for (std::size_t m = k + 1; m < alive.size(); ++m) {
      const Real factor = a[alive[m]][p] / a[p][p];
      for (const std::size_t j : alive) a[alive[m]][j] -= factor * a[p][j];
      x[alive[m]] -= factor * x[p];
    }
  }
  Real value = 0;
  std::vector<Real> y(n, 0);
  for (std::size_t k = alive.size(); k-- > 0;) {
    const std::size_t p = alive[k];
    Real sum = x[p];
    for (std::size_t m = k + 1; m < alive.size(); ++m) sum -= a[p][alive[m]] * y[alive[m]];
    y[p] = sum / a[p][p];
    value += right[p] * y[p];
  }
  return value;
}

struct Gaussian {
  std::vector<Real> mean;
  std::vector<std::vector<Real>> covariance;
};

std::vector<Real> mean_of(const Samples& samples, const int label) {
  std::vector<Real> mean(samples.n, 0);
  Real count = 0;
  for (std::size_t i = 0; i < samples.count(); ++i) {
    if (label >= 0 && samples.labels[i] != label) continue;
    ++count;
    for (std::size_t j = 0; j < samples.n; ++j) mean[j] += samples.f(i)[j];
  }
  for (Real& x : mean) x /= count;
  return mean;
}

/// Of all samples about the means of their classes, or about one mean.
std::vector<std::vector<Real>> covariance_of(const Samples& samples, const std::vector<std::vector<Real>>& means) {
  std::vector<std::vector<Real>> matrix(samples.n, std::vector<Real>(samples.n, 0));
  for (std::size_t i = 0; i < samples.count(); ++i) {
    const auto& mean = means[means.size() == 1 ? 0 : std::size_t(samples.labels[i])];
    for (std::size_t a = 0; a < samples.n; ++a)
      for (std::size_t b = 0; b < samples.n; ++b)
        matrix[a][b] += (samples.f(i)[a] - mean[a]) * (samples.f(i)[b] - mean[b]) / Real(samples.count());
  }
  return matrix;
}

std::vector<Real> difference(const float* const f, const std::vector<Real>& mean) {
  std::vector<Real> x(mean.size());
  for (std::size_t j = 0; j < x.size(); ++j) x[j] = f[j] - mean[j];
  return x;
}

TEST(FittedScores, MahalanobisIsTheDistanceInTheMetricOfTheCovariance) {
  for (const auto outputs : {HeadOutputs::logits, HeadOutputs::squared_distances}) {
    const Problem problem(outputs, 3, 12);
    std::vector<std::vector<Real>> means;
    for (int c = 0; c < 3; ++c) means.push_back(mean_of(problem.training, c));
    const auto within = covariance_of(problem.training, means);
    const std::vector<Real> mean = mean_of(problem.training, -1);
    const auto all = covariance_of(problem.training, {mean});

    const auto found = fit_and_score("mahalanobis", problem);
    const auto relative = fit_and_score("relative_mahalanobis", problem);

    for (std::size_t i = 0; i < problem.test.count(); ++i) {
      Real nearest = std::numeric_limits<Real>::infinity();
      for (const auto& centre : means)
        nearest = std::min(nearest, quadratic_form_of_inverse(within, difference(problem.test.f(i), centre)));
      const Real background = quadratic_form_of_inverse(all, difference(problem.test.f(i), mean));
      EXPECT_NEAR(found[i], double(-nearest), 1e-9 * double(nearest));
      EXPECT_NEAR(relative[i], double(background - nearest), 1e-9 * double(nearest));
    }
  }
}

TEST(FittedScores, MahalanobisOfOneDimensionByHand) {
  Samples training{1, 2, {0, 2, 10, 12}, std::vector<float>(8, 0), {0, 0, 1, 1}};
  Samples query{1, 2, {3}, {0, 0}, {0}};
  const HeadModel head{HeadOutputs::logits, 2, 1, 1, {1, 1}, {}};
  for (const auto& [name, expected] :
       {std::pair("mahalanobis", -4.0), std::pair("relative_mahalanobis", -4 + 9.0 / 26)}) {
    const auto score = make_fitted_score(name, head, {});
    fit(*score, training.training());
    EXPECT_NEAR(scores_of(*score, query.queries())[0], expected, 1e-12) << name;
  }
}

TEST(FittedScores, KnnIsTheDistanceToTheKthNearest) {
  const Problem problem(HeadOutputs::logits, 3, 12);
  const auto unit = [&](const float* const f) {
    Real norm = 0;
    for (std::size_t j = 0; j < 12; ++j) norm += Real(f[j]) * f[j];
    std::vector<Real> x(f, f + 12);
    for (Real& value : x) value /= std::sqrt(norm);
    return x;
  };
  for (const int k : {1, 7, 300}) {
    const auto found = fit_and_score("knn", problem, {.knn = {k == 300 ? 299 : k}});
    for (std::size_t i = 0; i < problem.test.count(); ++i) {
      std::vector<Real> distances;
      for (std::size_t t = 0; t < problem.training.count(); ++t) {
        const auto a = unit(problem.test.f(i)), b = unit(problem.training.f(t));
        Real sum = 0;
        for (std::size_t j = 0; j < 12; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
        distances.push_back(sum);
      }
      std::sort(distances.begin(), distances.end());
      EXPECT_NEAR(found[i], double(-distances[std::size_t(k == 300 ? 298 : k - 1)]), 1e-6) << k;
    }
  }
}

TEST(FittedScores, KnnByHandAndWithoutItself) {
  Samples training{2, 1, {1, 0, 0, 1, 1, 1}, {0, 0, 0}, {0, 0, 0}};
  Samples query{2, 1, {2, 1}, {0}, {0}};
  const HeadModel head{HeadOutputs::logits, 1, 2, 1, {1, 1}, {}};
  for (const auto& [k, expected] : {std::pair(1, -0.1026334039), std::pair(2, -0.2111456180)}) {
    const auto score = make_fitted_score("knn", head, {.knn = {k}});
    fit(*score, training.training());
    EXPECT_NEAR(scores_of(*score, query.queries())[0], expected, 1e-6);
  }
  const auto score = make_fitted_score("knn", head, {.knn = {1}});
  fit(*score, training.training());
  EXPECT_EQ(scores_of(*score, training.queries())[0], 0);
  EXPECT_NEAR(scores_of(*score, training.training())[0], -(2 - std::sqrt(2.0)), 1e-6);
}

TEST(FittedScores, VimByHand) {
  Samples training{2, 2, {3, 1, -3, 1, 1, -1, -1, -1}, {3, -3, -3, 3, 1, -1, -1, 1}, {0, 1, 0, 1}};
  Samples query{2, 2, {2, 3}, {2, -2}, {0}};
  const HeadModel head{HeadOutputs::logits, 2, 2, 1, {1, 0, -1, 0}, {0, 0}};
  const auto score = make_fitted_score("vim", head, {});
  fit(*score, training.training());

  EXPECT_NEAR(scores_of(*score, query.queries())[0], -3.9818500721, 1e-9);
}

/// The residual is what is left of f - o after its projections on the principal vectors, found here by power iteration.
TEST(FittedScores, VimSubtractsTheScaledResidual) {
  const Problem problem(HeadOutputs::logits, 3, 8);
  const std::size_t n = 8, principal = 2;
  // o solves W o = -b with the least norm: o = W^T y, (W W^T) y = -b.
  std::vector<std::vector<Real>> gram(3, std::vector<Real>(4));
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b)
      for (std::size_t j = 0; j < n; ++j)
        gram[a][b] += Real(problem.head.weights[a * n + j]) * problem.head.weights[b * n + j];
    gram[a][3] = -Real(problem.head.bias[a]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t r = 0; r < 3; ++r) {
      if (r == k) continue;
      const Real factor = gram[r][k] / gram[k][k];
      for (std::size_t j = 0; j < 4; ++j) gram[r][j] -= factor * gram[k][j];
    }
  }
  std::vector<Real> o(n, 0);
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t j = 0; j < n; ++j) o[j] += gram[c][3] / gram[c][c] * problem.head.weights[c * n + j];
  auto matrix = covariance_of(problem.training, {o});
  std::vector<std::vector<Real>> axes;
  for (std::size_t k = 0; k < principal; ++k) {
    std::vector<Real> v(n, 1);
    for (int step = 0; step < 3000; ++step) {
      std::vector<Real> w(n, 0);
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) w[a] += matrix[a][b] * v[b];
      Real norm = 0;
      for (const Real x : w) norm += x * x;
      for (std::size_t a = 0; a < n; ++a) v[a] = w[a] / std::sqrt(norm);
    }
    Real value = 0;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) value += v[a] * matrix[a][b] * v[b];
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) matrix[a][b] -= value * v[a] * v[b];
    axes.push_back(v);
  }
  const auto residual = [&](const float* const f) {
    const auto x = difference(f, o);
    Real squares = 0;
    for (const Real value : x) squares += value * value;
    for (const auto& v : axes) {
      Real product = 0;
      for (std::size_t j = 0; j < n; ++j) product += v[j] * x[j];
      squares -= product * product;
    }
    return std::sqrt(squares);
  };
  Real logits = 0, residuals = 0;
  for (std::size_t i = 0; i < problem.training.count(); ++i) {
    logits += *std::max_element(problem.training.z(i), problem.training.z(i) + 3);
    residuals += residual(problem.training.f(i));
  }

  const auto found = fit_and_score("vim", problem, {.vim = {int(principal)}});

  for (std::size_t i = 0; i < problem.test.count(); ++i) {
    Real sum = 0;
    for (std::size_t c = 0; c < 3; ++c) sum += std::exp(Real(problem.test.z(i)[c]));
    EXPECT_NEAR(found[i], double(std::log(sum) - logits / residuals * residual(problem.test.f(i))), 1e-8);
  }
}

TEST(FittedScores, FdbdIsTheMeanDistanceToBoundaries) {
  Samples training{2, 3, {1, 1, -1, -1}, std::vector<float>(6, 0), {0, 1}};  // the mean is 0
  Samples query{2, 3, {2, 1}, {2, 1, -2}, {0}};
  const HeadModel head{HeadOutputs::logits, 3, 2, 1, {1, 0, 0, 1, -1, 0}, {0, 0, 0}};
  const auto score = make_fitted_score("fdbd", head, {});
  fit(*score, training.training());
  EXPECT_NEAR(scores_of(*score, query.queries())[0], 1.2106549570, 1e-9);

  // With anchors: the distance of f to the plane half-way between two anchors, found by geometry.
  const Problem problem(HeadOutputs::squared_distances, 3, 5);
  const std::vector<Real> mean = mean_of(problem.training, -1);
  const auto found = fit_and_score("fdbd", problem);
  for (std::size_t i = 0; i < problem.test.count(); ++i) {
    const float* const f = problem.test.f(i);
    const std::size_t best =
        std::size_t(std::min_element(problem.test.z(i), problem.test.z(i) + 3) - problem.test.z(i));
    Real sum = 0, norm = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (c == best) continue;
      Real along = 0, length = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        const Real a = problem.head.weights[best * 5 + j], b = problem.head.weights[c * 5 + j];
        along += (f[j] - (a + b) / 2) * (a - b);
        length += (a - b) * (a - b);
      }
      sum += along / std::sqrt(length);
    }
    for (const Real x : difference(f, mean)) norm += x * x;
    EXPECT_NEAR(found[i], double(sum / std::sqrt(norm)), 1e-5);  // outputs are floats
  }
}

TEST(FittedScores, ReactCutsFeaturesOffAtThePercentile) {
  for (const auto outputs : {HeadOutputs::logits, HeadOutputs::squared_distances}) {
    const Problem problem(outputs, 3, 6);
    std::vector<float> sorted = problem.training.features;
    std::sort(sorted.begin(), sorted.end());
    for (const double percentile : {0.0, 50.0, 90.0, 99.9, 100.0}) {
      const double place = percentile / 100 * double(sorted.size() - 1);
      const auto below = std::size_t(place);
      const double high = sorted[std::min(below + 1, sorted.size() - 1)];
      const double t = sorted[below] + (place - double(below)) * (high - sorted[below]);

      const auto found = fit_and_score("react", problem, {.react = {percentile}});

      for (std::size_t i = 0; i < problem.test.count(); ++i) {
        Real sum = 0;
        for (std::size_t c = 0; c < 3; ++c) {
          Real z = outputs == HeadOutputs::logits ? Real(problem.head.bias[c]) : 0;
          for (std::size_t j = 0; j < 6; ++j) {
            const Real x = std::min<Real>(problem.test.f(i)[j], t), w = problem.head.weights[c * 6 + j];
            z += outputs == HeadOutputs::logits ? w * x : -Real(0.5) * (x - w) * (x - w);
          }
          sum += std::exp(z);
        }
        EXPECT_NEAR(found[i], double(std::log(sum)), 1e-12 * (1 + std::abs(found[i]))) << percentile;
      }
    }
  }
}

TEST(FittedScores, KeepTheirBitsHoweverTheTrainingSetIsCutAndAfterAFile) {
  FittedScoreOptions options;
  options.aosr.epochs = 2;
  options.aosr.trees = 5;
  for (const FittedScoreEntry& entry : all_fitted_scores().entries()) {
    const Problem problem(HeadOutputs::logits, 3, 12);
    const auto whole = make_fitted_score(entry.name, problem.head, options);
    const auto cut = make_fitted_score(entry.name, problem.head, options);
    const auto restored = make_fitted_score(entry.name, problem.head, options);
    fit(*whole, problem.training.training());
    for (int pass = 0; pass < cut->passes(); ++pass) {
      for (const auto [first, count] : {std::pair<std::size_t, std::size_t>{0, 7}, {7, 193}, {200, 100}})
        cut->add(pass, problem.training.rows(SampleRows::Origin::training, first, count));
      cut->finish(pass);
    }
    restored->restore(whole->state());

    const auto expected = scores_of(*whole, problem.test.queries());
    EXPECT_EQ(scores_of(*cut, problem.test.queries()), expected) << entry.name;
    EXPECT_EQ(scores_of(*restored, problem.test.queries()), expected) << entry.name;
    EXPECT_THROW(restored->restore(FittedState()), IoError) << entry.name;
    EXPECT_NE(*std::min_element(expected.begin(), expected.end()), *std::max_element(expected.begin(), expected.end()));
    if (!whole->decides()) continue;
    std::vector<std::int32_t> decisions(problem.test.count()), again(problem.test.count());
    whole->decide(problem.test.queries(), decisions);
    restored->decide(problem.test.queries(), again);
    EXPECT_EQ(decisions, again) << entry.name;
    for (const std::int32_t decision : decisions) EXPECT_TRUE(decision >= 0 && decision <= 3);
  }
}

/// The first feature, less its training mean.
class FirstFeature final : public FittedScore {
 public:
  int passes() const override { return 1; }
  void add(int, const SampleRows& rows) override {
    for (std::size_t i = 0; i < rows.count; ++i) sum_ += rows.feature_row(i)[0];
    count_ += double(rows.count);
  }
  void finish(int) override { sum_ /= count_; }
  void score(const SampleRows& rows, const std::span<double> dst) const override {
    for (std::size_t i = 0; i < rows.count; ++i) dst[i] = rows.feature_row(i)[0] - sum_;
  }
  FittedState state() const override { return FittedState({{"mean", {1}, std::vector{sum_}}}); }
  void restore(const FittedState& state) override { sum_ = state.doubles("mean", {1})[0]; }

 private:
  double sum_ = 0, count_ = 0;
};

/// Behind logits, entries that are all the same move no distance; others do, and only the distances.
TEST(FittedScores, CrosrIsOpenmaxWithTheLatentVectorInItsDistances) {
  Problem problem(HeadOutputs::logits, 3, 12);
  const std::vector<double> openmax = fit_and_score("openmax", problem);
  EXPECT_NE(fit_and_score("crosr", problem), openmax);
  for (Samples* const samples : {&problem.training, &problem.test}) {
    for (std::size_t i = 0; i < samples->latent.size(); ++i) samples->latent[i] *= i % Samples::latents == 0 ? 1 : 0;
  }
  const std::vector<double> by_one = fit_and_score("crosr", problem);
  FittedScoreOptions scaled;
  scaled.crosr.latent_scale = LatentScale::deviation;
  const auto fitted = make_fitted_score("crosr", problem.head, scaled);
  fit(*fitted, problem.training.training());
  const std::vector<double> found = scores_of(*fitted, problem.test.queries());
  EXPECT_NE(found, by_one);

  double mean = 0, square = 0;
  const double count = double(problem.training.count());
  for (std::size_t i = 0; i < problem.training.count(); ++i) mean += problem.training.latent[4 * i] / count;
  for (std::size_t i = 0; i < problem.training.count(); ++i)
    square += std::pow(problem.training.latent[4 * i] - mean, 2) / count;
  for (Samples* const samples : {&problem.training, &problem.test})
    for (float& value : samples->latent) value = static_cast<float>(value / std::sqrt(square));
  const std::vector<double> by_hand = fit_and_score("crosr", problem);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], by_hand[i], 1e-5);

  for (Samples* const samples : {&problem.training, &problem.test}) std::ranges::fill(samples->latent, 0.0f);
  EXPECT_EQ(fit_and_score("crosr", problem), openmax);
}

TEST(FittedScores, CrosrNeedsALatentVector) {
  Problem problem(HeadOutputs::logits, 3, 4);
  problem.head.gives.latent = false;
  EXPECT_THROW(make_fitted_score("crosr", problem.head, {}), ConfigError);
}

/// log max_c softmax(z / T)_c of the known classes, of the moved images.
TEST(FittedScores, OdinIsTheLargestProbabilityAtItsTemperature) {
  for (const HeadOutputs outputs : {HeadOutputs::logits, HeadOutputs::squared_distances}) {
    const Problem problem(outputs, 3, 5);
    FittedScoreOptions options;
    options.odin.temperature = 50;
    const std::vector<double> found = fit_and_score("odin", problem, options);

    for (std::size_t i = 0; i < found.size(); ++i) {
      Real total = 0, largest = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const Real output = problem.test.moved[i * 4 + c];
        const Real share = std::exp((outputs == HeadOutputs::logits ? output : -Real(0.5) * output) / 50);
        total += share;
        largest = std::max(largest, share);
      }
      EXPECT_NEAR(found[i], double(std::log(largest / total)), 1e-12);
    }
  }
}

TEST(FittedScores, OdinCgdlAndC2aeRefuseModelsThatDoNotGiveWhatTheyRead) {
  Problem problem(HeadOutputs::logits, 3, 4);
  problem.head.gives = {};

  EXPECT_THROW(make_fitted_score("odin", problem.head, {}), ConfigError);
  EXPECT_THROW(make_fitted_score("cgdl", problem.head, {}), ConfigError);
  EXPECT_THROW(make_fitted_score("c2ae", problem.head, {}), ConfigError);
}

TEST(FittedScores, TakeOneFromOutside) {
  if (!all_fitted_scores().contains("first_feature"))
    all_fitted_scores().add(
        {"first_feature", FittedScoreEntry::Fits::both, "f_0 - mean f_0", "first feature", 0,
         [](const HeadModel&, const FittedScoreOptions&) { return std::make_unique<FirstFeature>(); }});
  const Problem problem(HeadOutputs::logits, 3, 12);

  const auto found = fit_and_score("first_feature", problem);

  EXPECT_NEAR(found[0], problem.test.f(0)[0] - double(mean_of(problem.training, -1)[0]), 1e-12);
  EXPECT_THAT(all_fitted_scores().names(), testing::Contains("first_feature"));
}

TEST(FittedScores, RefuseHeadsThatDoNotFit) {
  const Problem problem(HeadOutputs::squared_distances, 3, 4);
  for (const char* const name : {"openmax", "vim", "aosr"})
    EXPECT_THROW(make_fitted_score(name, problem.head, {}), ConfigError) << name;
  EXPECT_THROW(make_fitted_score("nonsense", problem.head, {}), ConfigError);
}

}  // namespace
}  // namespace bcr::scores
