#include "src/scores/weibull.hpp"

#include "kernels/math/exp.hpp"
#include "kernels/math/expm1.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"
#include "src/core/finite.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace bcr::scores {

namespace {

namespace strict = kernels::strict;

constexpr double tail_shift = 10000;

double mean_of(const std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Sums over the sample with weights e^(l / sigma); the greatest l is 0, so the sum of weights is at least 1.
struct WeightedMoments {
  double weight = 0;
  double mean = 0;
  double variance = 0;
};

WeightedMoments weighted_moments(const std::span<const double> l, const double sigma) {
  WeightedMoments moments;
  double first = 0;
  double second = 0;
  for (const double value : l) {
    const double weight = strict::exp(value / sigma);
    moments.weight += weight;
    first = Kokkos::fma(value, weight, first);
    second = Kokkos::fma(value * weight, value, second);
  }
  moments.mean = first / moments.weight;
  moments.variance = std::max(0.0, Kokkos::fma(-moments.mean, moments.mean, second / moments.weight));
  return moments;
}

/// The start that equates the standard deviation of log x with its value pi / (sqrt(6) shape).
double moment_estimate(const std::span<const double> l, const double mean) {
  double squares = 0;
  for (const double value : l) squares = Kokkos::fma(value - mean, value - mean, squares);
  constexpr double sqrt6_over_pi = 0x1.8f346b4c305bep-1;
  return sqrt6_over_pi * Kokkos::sqrt(squares / static_cast<double>(l.size()));
}

double solve_for_sigma(const std::span<const double> l) {
  const double mean = mean_of(l);
  double low = 0;
  double high = -mean;
  double sigma = std::min(moment_estimate(l, mean), high);
  for (int step = 0; step < 200; ++step) {
    const WeightedMoments moments = weighted_moments(l, sigma);
    const double value = (sigma + mean) - moments.mean;
    (value < 0 ? low : high) = sigma;
    const double slope = 1 + moments.variance / (sigma * sigma);
    const double newton = sigma - value / slope;
    const double next = newton > low && newton < high ? newton : low + (high - low) / 2;
    const bool settled = std::abs(next - sigma) <= 0x1p-51 * sigma;
    sigma = next;
    if (settled) break;
  }
  return sigma;
}

}  // namespace

double Weibull::cdf_of_log(const double log_x) const {
  return -strict::expm1(-strict::exp(shape * (log_x - log_scale)));
}

std::optional<Weibull> fit_weibull(const std::span<const double> logs) {
  if (logs.size() < 2) return std::nullopt;
  if (!std::all_of(logs.begin(), logs.end(), [](const double l) { return is_finite(l); })) return std::nullopt;
  const auto [least, greatest] = std::minmax_element(logs.begin(), logs.end());
  const double range = *greatest - *least;
  if (!(range > 0) || !is_finite(range)) return std::nullopt;

  std::vector<double> l(logs.begin(), logs.end());
  for (double& value : l) value = (value - *greatest) / range;
  const double sigma = solve_for_sigma(l);
  const double mean_weight = weighted_moments(l, sigma).weight / static_cast<double>(l.size());
  const double log_scale = sigma * strict::log(mean_weight);
  return Weibull{1 / (sigma * range), Kokkos::fma(log_scale, range, *greatest)};
}

WeibullTail WeibullTail::fit_high(const std::span<const double> distances, const std::size_t tail_size) {
  WeibullTail tail;
  std::vector<double> largest(distances.begin(), distances.end());
  if (!std::all_of(largest.begin(), largest.end(), [](const double d) { return is_finite(d); })) return tail;
  std::sort(largest.begin(), largest.end(), std::greater<>());
  largest.resize(std::min(tail_size, largest.size()));
  if (largest.empty()) return tail;

  tail.smallest_ = largest.back();
  for (double& d : largest) d = strict::log1p((d - tail.smallest_) / tail_shift);
  const std::optional<Weibull> model = fit_weibull(largest);
  tail.fitted_ = model.has_value();
  if (model) tail.model_ = *model;
  return tail;
}

double WeibullTail::scale() const {
  return tail_shift * strict::exp(model_.log_scale);
}

double WeibullTail::cdf(const double distance) const {
  const double shifted = (distance - smallest_) / tail_shift;
  if (!fitted_ || shifted <= -1) return 0;
  return model_.cdf_of_log(strict::log1p(shifted));
}

}  // namespace bcr::scores
