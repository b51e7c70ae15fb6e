#include "src/scores/pareto.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/log1p.hpp"
#include "src/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace bcr::scores {

ParetoTail::ParetoTail(std::vector<double> values, const double share) : values_(std::move(values)) {
  if (values_.empty() || !(share > 0 && share < 1))
    throw ShapeError("ParetoTail", "values, and a share of them",
                     std::to_string(values_.size()) + ", " + std::to_string(share));
  std::sort(values_.begin(), values_.end());
  begin_ = quantile(1 - share);
  const auto first = std::upper_bound(values_.begin(), values_.end(), begin_);
  excesses_ = static_cast<std::size_t>(values_.end() - first);
  if (excesses_ < least_excesses) return;
  double mean = 0, variance = 0;
  for (auto value = first; value != values_.end(); ++value) mean += *value - begin_;
  mean /= double(excesses_);
  for (auto value = first; value != values_.end(); ++value) {
    const double apart = *value - begin_ - mean;
    variance = Kokkos::fma(apart, apart, variance);
  }
  variance /= double(excesses_);
  if (!(variance > 0)) return;
  const double ratio = mean * mean / variance;
  xi_ = 0.5 * (1 - ratio);
  sigma_ = 0.5 * mean * (1 + ratio);
  is_defined_ = true;
}

double ParetoTail::quantile(const double share) const {
  const double place = std::ceil(share * double(values_.size())) - 1;
  return values_[static_cast<std::size_t>(std::clamp(place, 0.0, double(values_.size() - 1)))];
}

double ParetoTail::above(const double value) const {
  if (value <= begin_ || !is_defined_) {
    const auto first = std::upper_bound(values_.begin(), values_.end(), value);
    return double(values_.end() - first) / double(values_.size());
  }
  const double zeta = double(excesses_) / double(values_.size()), y = (value - begin_) / sigma_;
  if (std::abs(xi_) < 1e-6) return zeta * kernels::strict::exp(-y);
  if (!(xi_ * y > -1)) return 0;  // beyond the end of a tail that has one
  return zeta * kernels::strict::exp(-kernels::strict::log1p(xi_ * y) / xi_);
}

}  // namespace bcr::scores
