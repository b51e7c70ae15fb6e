#include "src/scale/point/sample_summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bcr::scale {
namespace {

constexpr double wanted_coverage = 0.95;

double middle(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

double median_interval_coverage(const std::size_t count, const std::size_t k) {
  const auto n = static_cast<double>(count);
  double below = 0;  // P(Bin(n, 1/2) < k); logarithms, since 2^-n underflows
  for (std::size_t i = 0; i < k; ++i) {
    const auto hits = static_cast<double>(i);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(hits + 1) - std::lgamma(n - hits + 1) - n * std::log(2.0));
  }
  return 1 - 2 * below;
}

SampleSummary summarise(std::vector<double> values) {
  SampleSummary summary;
  if (values.empty()) return summary;
  std::sort(values.begin(), values.end());
  const std::size_t n = summary.count = values.size();
  std::size_t k = 1;
  while (k < (n + 1) / 2 && median_interval_coverage(n, k + 1) >= wanted_coverage) ++k;
  summary.median = middle(values);
  summary.low = values[k - 1];
  summary.high = values[n - k];
  summary.coverage = std::max(0.0, median_interval_coverage(n, k));
  summary.least = values.front();
  summary.most = values.back();
  summary.mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  double squares = 0;
  for (const double value : values) squares += (value - summary.mean) * (value - summary.mean);
  if (n > 1) summary.deviation = std::sqrt(squares / static_cast<double>(n - 1));
  return summary;
}

}  // namespace bcr::scale
