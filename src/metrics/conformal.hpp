#ifndef BCR_SRC_METRICS_CONFORMAL_HPP
#define BCR_SRC_METRICS_CONFORMAL_HPP

#include <cstddef>
#include <span>
#include <vector>

namespace bcr::metrics {

/// Split conformal prediction (Vovk, Gammerman, Shafer, "Algorithmic learning in a random world", 2005) of "known".
/// With the scores s_1 ... s_n of known samples that training has not seen, a new sample of score s has the p-value
///   p(s) = (1 + #{i : s_i <= s}) / (n + 1).
/// If it is exchangeable with those n, P(p <= alpha) <= alpha for every alpha, whatever the model and however small n:
/// who calls samples unknown where p <= alpha rejects a known one with a probability of at most alpha. The probability
/// is over the n samples and the new one; ties count in favour of the new one.
class Conformal {
 public:
  /// Any order. Without scores p is 1. A NumericsError for NaN.
  explicit Conformal(std::span<const double> known_scores);

  std::size_t count() const noexcept { return sorted_.size(); }
  /// The least p-value that n scores can give, 1 / (n + 1): no sample is rejected with an alpha below it.
  double least_p_value() const;
  /// A score that is NaN has the least.
  double p_value(double score) const;
  /// p(s) <= alpha is s < threshold(alpha): the k-th smallest score, k the largest integer with k / (n + 1) <= alpha;
  /// minus infinity for k = 0. A NumericsError for an alpha outside [0, 1).
  double threshold(double alpha) const;

 private:
  std::vector<double> sorted_;
};

}  // namespace bcr::metrics

#endif
