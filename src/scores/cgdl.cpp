#include "src/scores/cgdl.hpp"

#include "kernels/fill/fill_random.hpp"
#include "kernels/gamma/incomplete_gamma.hpp"
#include "kernels/math/log.hpp"
#include "src/core/error.hpp"
#include "src/scores/fitted_scores.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <limits>

namespace bcr::scores {
namespace {

/// L of S = L L^T below the diagonal, row-major; empty if S is not positive definite.
std::vector<double> cholesky_factor(const std::vector<double>& matrix, const std::size_t d) {
  std::vector<double> factor(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i * d + j];
      for (std::size_t k = 0; k < j; ++k) sum -= factor[i * d + k] * factor[j * d + k];
      if (i == j && !(sum > 0)) return {};
      factor[i * d + j] = i == j ? Kokkos::sqrt(sum) : sum / factor[j * d + j];
    }
  }
  return factor;
}

std::vector<double> diagonal_of(const std::vector<double>& matrix, const std::size_t d) {
  std::vector<double> diagonal(d * d, 0.0);
  for (std::size_t i = 0; i < d; ++i) diagonal[i * d + i] = matrix[i * d + i];
  return diagonal;
}

/// Sums over the features of a class, relative to the first of them.
struct ClassMoments {
  std::vector<double> first, sums, products;
  std::size_t count = 0;

  void add(const float* const feature, const std::size_t d) {
    if (count == 0) {
      first.assign(feature, feature + d);
      sums.assign(d, 0.0);
      products.assign(d * d, 0.0);
    }
    ++count;
    for (std::size_t i = 0; i < d; ++i) {
      const double x = double(feature[i]) - first[i];
      sums[i] += x;
      for (std::size_t j = 0; j <= i; ++j)
        products[i * d + j] = Kokkos::fma(x, double(feature[j]) - first[j], products[i * d + j]);
    }
  }
  ClassGaussian gaussian(const std::size_t d, const CgdlSettings& settings) const {
    if (count < 2) return {};
    const auto n = static_cast<double>(count);
    std::vector<double> mean(d), covariance(d * d);
    for (std::size_t i = 0; i < d; ++i) {
      mean[i] = first[i] + sums[i] / n;
      for (std::size_t j = 0; j <= i; ++j)
        covariance[i * d + j] = covariance[j * d + i] = (products[i * d + j] - sums[i] * sums[j] / n) / (n - 1);
    }
    const auto shape = count > d ? ClassGaussian::Shape::full : ClassGaussian::Shape::diagonal;
    return ClassGaussian(std::move(mean), std::move(covariance), shape, settings);
  }
};

/// Minus the larger of reconstruction error over threshold, and of the least squared distance over squared radius.
class Cgdl final : public FittedScore {
 public:
  Cgdl(const HeadModel& head, const CgdlSettings& settings)
      : head_(head), settings_(settings), moments_(head.classes), classes_(head.classes) {
    require<ConfigError>(settings.reconstruction_rule || settings.latent_rule, "eval.cgdl",
                         "reconstruction_rule, latent_rule or both", "neither");
  }

  int passes() const override { return 1; }
  void add(int, const SampleRows& rows) override {
    require_errors(rows);
    for (std::size_t i = 0; i < rows.count; ++i) {
      errors_.add(rows.error[i]);
      const std::int32_t label = rows.label[i];
      if (head_.best_class(rows.output_row(i)) == label)
        moments_[static_cast<std::size_t>(label)].add(rows.feature_row(i), head_.features);
    }
  }
  void finish(int) override {
    threshold_ = errors_.mean() + settings_.deviations * errors_.deviation();
    for (std::size_t c = 0; c < classes_.size(); ++c) classes_[c] = moments_[c].gaussian(head_.features, settings_);
    moments_.clear();
  }
  std::string undefined() const override {
    const bool some = std::any_of(classes_.begin(), classes_.end(), [](const auto& c) { return !c.mean().empty(); });
    if (settings_.latent_rule && !some) return "no class has two training images that are recognised";
    return !settings_.reconstruction_rule || threshold_ > 0 ? "" : "training images are reconstructed without error";
  }
  std::vector<std::string> remarks() const override {
    std::vector<std::string> list;
    for (std::size_t c = 0; c < classes_.size(); ++c)
      if (classes_[c].mean().empty())
        list.push_back("class " + std::to_string(c) + " takes nothing in: it has no two recognised training images");
    return list;
  }

  void score(const SampleRows& rows, const std::span<double> dst) const override {
    require_errors(rows);
    for (std::size_t i = 0; i < rows.count; ++i) {
      double excess = settings_.reconstruction_rule ? rows.error[i] / threshold_ : 0.0;
      if (settings_.latent_rule) excess = std::max(excess, distance(rows, i));
      dst[i] = -excess;
    }
  }

  bool decides() const override { return true; }
  void decide(const SampleRows& rows, const std::span<std::int32_t> dst) const override {
    require_errors(rows);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const bool large = settings_.reconstruction_rule && rows.error[i] > threshold_;
      const bool far = settings_.latent_rule && !(distance(rows, i) < 1);
      dst[i] = large || far ? static_cast<std::int32_t>(head_.classes) : head_.best_class(rows.output_row(i));
    }
  }

  FittedState state() const override {
    const std::size_t C = head_.classes, d = head_.features;
    std::vector<double> means(C * d), factors(C * d * d), radii(C);
    for (std::size_t c = 0; c < C; ++c) {
      std::copy(classes_[c].mean().begin(), classes_[c].mean().end(), means.begin() + std::ptrdiff_t(c * d));
      std::copy(classes_[c].factor().begin(), classes_[c].factor().end(), factors.begin() + std::ptrdiff_t(c * d * d));
      radii[c] = classes_[c].squared_radius();
    }
    return FittedState({{"threshold", {1}, std::vector<double>{threshold_}},
                        {"means", {C, d}, std::move(means)},
                        {"factors", {C, d, d}, std::move(factors)},
                        {"squared_radii", {C}, std::move(radii)}});
  }
  void restore(const FittedState& state) override {
    const std::size_t C = head_.classes, d = head_.features;
    threshold_ = state.doubles("threshold", {1})[0];
    const auto& means = state.doubles("means", {C, d});
    const auto& factors = state.doubles("factors", {C, d, d});
    const auto& radii = state.doubles("squared_radii", {C});
    const auto part = [](const std::vector<double>& values, const std::size_t c, const std::size_t size) {
      return std::vector<double>(values.begin() + std::ptrdiff_t(c * size),
                                 values.begin() + std::ptrdiff_t((c + 1) * size));
    };
    for (std::size_t c = 0; c < C; ++c)
      if (radii[c] > 0) classes_[c] = ClassGaussian(part(means, c, d), part(factors, c, d * d), radii[c]);
  }

 private:
  static void require_errors(const SampleRows& rows) {
    require<ShapeError>(rows.error.size() == rows.count && (rows.count == 0 || !rows.feature.empty()), "score cgdl",
                        "features and reconstruction errors", "none");
  }

  /// min_c of squared distance over squared radius.
  double distance(const SampleRows& rows, const std::size_t i) const {
    double least = std::numeric_limits<double>::max();
    for (const ClassGaussian& gaussian : classes_)
      if (!gaussian.mean().empty())
        least = std::min(least, gaussian.squared_distance({rows.feature_row(i), head_.features}) /
                                    gaussian.squared_radius());
    return least;
  }

  HeadModel head_;
  CgdlSettings settings_;
  ErrorMoments errors_;
  std::vector<ClassMoments> moments_;
  double threshold_ = 0;
  std::vector<ClassGaussian> classes_;
};

}  // namespace

void ErrorMoments::add(const double error) {
  if (count_ == 0) first_ = error;
  const double x = error - first_;
  count_ += 1;
  sum_ += x;
  squares_ = Kokkos::fma(x, x, squares_);
}

double ErrorMoments::mean() const {
  return count_ > 0 ? first_ + sum_ / count_ : 0;
}

double ErrorMoments::deviation() const {
  if (count_ == 0) return 0;
  const double mean = sum_ / count_;
  return Kokkos::sqrt(std::max(0.0, Kokkos::fma(-mean, mean, squares_ / count_)));
}

ClassGaussian::ClassGaussian(std::vector<double> mean, std::vector<double> covariance, const Shape shape,
                             const CgdlSettings& settings)
    : mean_(std::move(mean)) {
  const std::size_t d = mean_.size();
  double trace = 0;
  for (std::size_t i = 0; i < d; ++i) trace += covariance[i * d + i];
  for (std::size_t i = 0; i < d; ++i) covariance[i * d + i] += 1e-6 * trace / double(d);
  if (shape == Shape::full) factor_ = cholesky_factor(covariance, d);
  if (factor_.empty()) {
    covariance = diagonal_of(covariance, d);
    factor_ = cholesky_factor(covariance, d);
  }
  if (factor_.empty()) {  // all features of the class are the same
    mean_.clear();
    return;
  }
  if (settings.contour == CgdlContour::chi_square) {
    squared_radius_ = chi_square_quantile(d, settings.share);
    return;
  }
  // Rows of L over the deviations are the factor of the correlations.
  std::vector<double> correlated = factor_, corner(d);
  for (std::size_t i = 0; i < d; ++i) corner[i] = Kokkos::sqrt(covariance[i * d + i]);
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t k = 0; k <= i; ++k) correlated[i * d + k] /= corner[i];
  const double q = median_largest_coordinate(correlated, d, settings);
  for (double& t : corner) t *= q;
  squared_radius_ = form_of_inverse(std::move(corner));
}

double ClassGaussian::form_of_inverse(std::vector<double> x) const {
  const std::size_t d = mean_.size();
  double sum = 0;
  for (std::size_t i = 0; i < d; ++i) {  // y of L y = x, forward; then |y|^2
    for (std::size_t k = 0; k < i; ++k) x[i] -= factor_[i * d + k] * x[k];
    x[i] /= factor_[i * d + i];
    sum = Kokkos::fma(x[i], x[i], sum);
  }
  return sum;
}

double ClassGaussian::squared_distance(const std::span<const float> x) const {
  std::vector<double> apart(x.begin(), x.end());
  for (std::size_t i = 0; i < apart.size(); ++i) apart[i] -= mean_[i];
  return form_of_inverse(std::move(apart));
}

double median_largest_coordinate(const std::span<const double> factor, const std::size_t d,
                                 const CgdlSettings& settings) {
  std::vector<double> largest(static_cast<std::size_t>(settings.draws)), noise(d);
  for (std::size_t n = 0; n < largest.size(); ++n) {
    Random random(settings.seed, Stream("cgdl/contour"), 0, n);
    for (double& x : noise) x = kernels::draw_normal(random);
    for (std::size_t i = 0; i < d; ++i) {
      double x = 0;
      for (std::size_t k = 0; k <= i; ++k) x = Kokkos::fma(factor[i * d + k], noise[k], x);
      largest[n] = std::max(largest[n], Kokkos::fabs(x));
    }
  }
  const auto middle = largest.begin() + std::ptrdiff_t(largest.size() / 2);
  std::nth_element(largest.begin(), middle, largest.end());
  return *middle;
}

double chi_square_quantile(const std::size_t d, const double share) {
  const double shape = 0.5 * static_cast<double>(d);
  const double log_outside = kernels::strict::log(1 - share);
  const auto is_inside = [&](const double x) { return kernels::incomplete_gamma(shape, 0.5 * x).log_q > log_outside; };
  double inside = 0, outside = static_cast<double>(d);
  while (is_inside(outside)) outside *= 2;
  for (double middle = 0.5 * (inside + outside); inside < middle && middle < outside; middle = 0.5 * (inside + outside))
    (is_inside(middle) ? inside : outside) = middle;
  return outside;
}

FittedScorePointer make_cgdl(const HeadModel& head, const FittedScoreOptions& options) {
  return std::make_unique<Cgdl>(head, options.cgdl);
}

}  // namespace bcr::scores
