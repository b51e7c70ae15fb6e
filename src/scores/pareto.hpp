#ifndef BCR_SRC_SCORES_PARETO_HPP
#define BCR_SRC_SCORES_PARETO_HPP

#include <cstddef>
#include <vector>

namespace bcr::scores {

/// The right tail of a sample by a generalised Pareto distribution (Pickands 1975): of the share zeta of the sample
/// above u,
///   P(R > u + y) = zeta (1 + xi y / sigma)_+^(-1 / xi),   zeta exp(-y / sigma) for |xi| < 10^-6.
/// By moments, with mean m and variance s^2 of the excesses y: xi = (1 - m^2 / s^2) / 2, sigma = m (1 + m^2 / s^2) / 2.
/// Below u the sample itself.
class ParetoTail {
 public:
  static constexpr std::size_t least_excesses = 20;

  /// `share` of the values, those that are largest, are the tail.
  ParetoTail(std::vector<double> values, double share);

  /// Whether there are least_excesses of them, and they differ.
  bool is_defined() const noexcept { return is_defined_; }
  double shape() const noexcept { return xi_; }     ///< xi
  double scale() const noexcept { return sigma_; }  ///< sigma
  double begin() const noexcept { return begin_; }  ///< u
  /// P(R > value).
  double above(double value) const;
  double smallest() const { return values_.front(); }
  double largest() const { return values_.back(); }
  /// The value of which a share lies at or below.
  double quantile(double share) const;

 private:
  std::vector<double> values_;  ///< ascending
  std::size_t excesses_ = 0;
  double begin_ = 0;
  double xi_ = 0;
  double sigma_ = 0;
  bool is_defined_ = false;
};

}  // namespace bcr::scores

#endif
