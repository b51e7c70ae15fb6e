#ifndef BCR_SRC_SCORES_CGDL_HPP
#define BCR_SRC_SCORES_CGDL_HPP

#include "src/scores/options.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

// The two rules by which CGDL (Sun et al., "Conditional Gaussian distribution learning for open set recognition", CVPR
// 2020) calls an image unknown: its reconstruction is worse than that of training images, or its features are far from
// every class. docs/cgdl.md says what the paper and its code leave open.

namespace bcr::scores {

/// Mean and deviation of numbers that arrive one after the other: sums relative to the first.
class ErrorMoments {
 public:
  void add(double error);
  double mean() const;
  double deviation() const;  ///< with the count as divisor

 private:
  double count_ = 0;
  double first_ = 0;
  double sum_ = 0;
  double squares_ = 0;
};

/// The Gaussian of the features of one class, and the contour inside which features belong to it.
class ClassGaussian {
 public:
  ClassGaussian() = default;
  enum class Shape { full, diagonal };
  /// From the mean and the covariance [d, d], row-major, to whose diagonal 10^-6 of its mean is added. Its diagonal
  /// stands for it if that is asked for, or if it has no Cholesky factor none the less.
  ClassGaussian(std::vector<double> mean, std::vector<double> covariance, Shape shape, const CgdlSettings& settings);
  /// As it was.
  ClassGaussian(std::vector<double> mean, std::vector<double> factor, const double squared_radius)
      : mean_(std::move(mean)), factor_(std::move(factor)), squared_radius_(squared_radius) {}

  /// Empty if there is none: nothing is inside.
  const std::vector<double>& mean() const noexcept { return mean_; }
  const std::vector<double>& factor() const noexcept { return factor_; }  ///< L of S = L L^T, [d, d]
  /// Of the contour, in the unit of squared_distance().
  double squared_radius() const noexcept { return squared_radius_; }
  /// (x - mean)^T S^-1 (x - mean).
  double squared_distance(std::span<const float> x) const;

 private:
  double form_of_inverse(std::vector<double> x) const;

  std::vector<double> mean_;
  std::vector<double> factor_;
  double squared_radius_ = 0;
};

/// Half of the normal vectors with correlations P = L L^T (L [d, d]) have no coordinate larger in magnitude than this:
/// the median over settings.draws vectors.
double median_largest_coordinate(std::span<const double> factor, std::size_t d, const CgdlSettings& settings);

/// x with P(chi^2_d < x) = share.
double chi_square_quantile(std::size_t d, double share);

}  // namespace bcr::scores

#endif
