#ifndef BCR_SRC_SCORES_WEIBULL_HPP
#define BCR_SRC_SCORES_WEIBULL_HPP

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace bcr::scores {

/// Distribution function 1 - exp(-(x / scale)^shape), x > 0. The logarithm of the scale is kept, because x / scale is
/// needed as a difference of logarithms.
struct Weibull {
  double shape = 1;
  double log_scale = 0;

  /// The distribution function at log x, as -expm1(-exp(shape (log x - log_scale))): full precision in both tails.
  double cdf_of_log(double log_x) const;
};

/// Maximum-likelihood shape and scale from the logarithms of a sample. With l rescaled to [-1, 0] and sigma = 1 /
/// shape,
///   g(sigma) = sigma + mean(l) - sum_i l_i e^(l_i / sigma) / sum_i e^(l_i / sigma) = 0.
/// g increases (its slope is 1 + Var_sigma(l) / sigma^2), is negative at 0+ and not negative at -mean(l), so there is
/// one root, found to the last digits by Newton steps that fall back to bisection. Then
/// log_scale = sigma log mean e^(l / sigma), both scaled back.
/// Empty if the sample does not determine two parameters: fewer than 2 values, all equal, or a value not finite.
std::optional<Weibull> fit_weibull(std::span<const double> logs);

/// The extreme-value model of large distances that Openmax uses: the distances of a tail are shifted to
/// d' = d - d_min + 10000 and a Weibull distribution is fitted to d'. The shift makes the shape huge and the result,
/// numerically, a Gumbel distribution of d; logarithms are therefore taken of d' / 10000 by log1p, which keeps all
/// digits.
class WeibullTail {
 public:
  /// A tail that was not fitted: probability 0 everywhere.
  WeibullTail() = default;

  /// Fits to the `tail_size` largest distances (all of them, if there are fewer). Not fitted if they are degenerate.
  static WeibullTail fit_high(std::span<const double> distances, std::size_t tail_size);

  bool fitted() const { return fitted_; }
  double smallest() const { return smallest_; }  ///< d_min, the smallest distance of the tail
  double shape() const { return model_.shape; }
  double scale() const;  ///< of d', about 10000

  /// Fitted or not, d_min, shape and logarithm of the scale, for a file; the same tail from them.
  std::array<double, 4> parameters() const { return {fitted_ ? 1.0 : 0.0, smallest_, model_.shape, model_.log_scale}; }
  explicit WeibullTail(const std::array<double, 4>& parameters)
      : fitted_(parameters[0] != 0), smallest_(parameters[1]), model_{parameters[2], parameters[3]} {}

  /// Probability that a distance of the class is smaller than this one: increasing, near 0 at d_min, 1 far beyond.
  double cdf(double distance) const;

 private:
  bool fitted_ = false;
  double smallest_ = 0;
  Weibull model_;  ///< of d' / 10000
};

}  // namespace bcr::scores

#endif
