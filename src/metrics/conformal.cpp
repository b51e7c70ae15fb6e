#include "src/metrics/conformal.hpp"

#include "src/core/error.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace bcr::metrics {

Conformal::Conformal(const std::span<const double> known_scores) : sorted_(known_scores.begin(), known_scores.end()) {
  const auto nan = std::find_if(sorted_.begin(), sorted_.end(), [](const double s) { return s != s; });
  if (nan != sorted_.end())
    throw NumericsError("Conformal", "scores that are numbers",
                        "NaN at index " + std::to_string(nan - sorted_.begin()));
  std::sort(sorted_.begin(), sorted_.end());
}

double Conformal::least_p_value() const {
  return 1.0 / static_cast<double>(sorted_.size() + 1);
}

double Conformal::p_value(const double score) const {
  if (score != score) return least_p_value();
  const auto not_above = std::upper_bound(sorted_.begin(), sorted_.end(), score) - sorted_.begin();
  return static_cast<double>(1 + not_above) / static_cast<double>(sorted_.size() + 1);
}

double Conformal::threshold(const double alpha) const {
  if (!(alpha >= 0 && alpha < 1)) throw NumericsError("Conformal", "an alpha in [0, 1)", std::to_string(alpha));
  const auto n = static_cast<double>(sorted_.size() + 1);
  auto k = static_cast<std::size_t>(alpha * n);
  // The quotients that p_value() gives decide, not the product.
  while (k > 0 && static_cast<double>(k) / n > alpha) --k;
  while (k < sorted_.size() && static_cast<double>(k + 1) / n <= alpha) ++k;
  return k == 0 ? -std::numeric_limits<double>::infinity() : sorted_[k - 1];
}

}  // namespace bcr::metrics
