#include "src/metrics/roc.hpp"

#include "src/core/host_tasks.hpp"
#include "src/metrics/accuracy.hpp"
#include "src/metrics/positive_class.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>

namespace bcr::metrics {

namespace {

/// sum over unknown samples u of  2 #{samples above u} + #{samples tied with u},  where `above` counts the samples of
/// interest as the arrays of a sweep do: all known ones give AUROC, the correct ones the area under the OSCR curve.
/// An exact integer below 2^62.
std::uint64_t doubled_pairs_above_unknown(const ScoreSweep& sweep, const std::span<const std::int32_t> above) {
  const std::span<const std::int32_t> unknown = sweep.unknown_above();
  std::vector<std::uint64_t> sums(parts_in(sweep.groups(), task_length), 0);
  for_each_task("bcr::metrics::pair_count", sums.size(), [&](const std::size_t task) {
    const IndexRange part = part_of(sweep.groups(), task_length, task);
    std::uint64_t sum = 0;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      // Twice those above the group plus once those in it: above[i] + above[i + 1].
      const auto unknown_here = static_cast<std::uint32_t>(unknown[i + 1] - unknown[i]);
      const auto weight = static_cast<std::uint32_t>(above[i]) + static_cast<std::uint32_t>(above[i + 1]);
      sum += std::uint64_t{unknown_here} * weight;
    }
    sums[task] = sum;
  });
  return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0});
}

/// The smallest k >= 1 with k / total >= fraction, 0 < fraction < 1.
std::int32_t share_of(const std::int32_t total, const double fraction) {
  const auto n = static_cast<double>(total);
  auto k = static_cast<std::int32_t>(fraction * n);
  while (k > 1 && static_cast<double>(k - 1) / n >= fraction) --k;
  while (static_cast<double>(k) / n < fraction) ++k;
  return std::max(k, 1);
}

}  // namespace

double auroc(const ScoreSweep& sweep) {
  require_both(sweep, "auroc");
  const std::uint64_t doubled = doubled_pairs_above_unknown(sweep, sweep.known_above());
  const std::uint64_t pairs = std::uint64_t(sweep.known()) * std::uint64_t(sweep.unknown());
  return static_cast<double>(doubled) / static_cast<double>(2 * pairs);
}

std::vector<OscrPoint> oscr_curve(const ScoreSweep& sweep) {
  require_both(sweep, "oscr_curve");
  std::vector<OscrPoint> curve(sweep.groups());
  for (std::size_t i = 0; i < curve.size(); ++i) {
    curve[i] = {sweep.thresholds()[i],
                static_cast<double>(sweep.unknown_above()[i + 1]) / static_cast<double>(sweep.unknown()),
                static_cast<double>(sweep.correct_above()[i + 1]) / static_cast<double>(sweep.known())};
  }
  return curve;
}

double oscr_area(const ScoreSweep& sweep) {
  require_both(sweep, "oscr_area");
  const std::uint64_t doubled = doubled_pairs_above_unknown(sweep, sweep.correct_above());
  const std::uint64_t pairs = std::uint64_t(sweep.known()) * std::uint64_t(sweep.unknown());
  return static_cast<double>(doubled) / static_cast<double>(2 * pairs);
}

double ccr_at_fpr(const ScoreSweep& sweep, const double fpr) {
  require_both(sweep, "ccr_at_fpr");
  if (!(fpr >= 0 && fpr <= 1)) throw NumericsError("ccr_at_fpr", "a rate in [0, 1]", std::to_string(fpr));
  if (fpr == 1) return accuracy(sweep);
  const std::int32_t k = share_of(sweep.unknown(), fpr);
  const auto unknown = sweep.unknown_above();
  // The first entry that counts k unknown samples belongs to the group of the k-th largest; above it is the one before.
  const auto group = std::lower_bound(unknown.begin(), unknown.end(), k) - unknown.begin();
  const std::int32_t strictly_above = sweep.correct_above()[static_cast<std::size_t>(group - 1)];
  return static_cast<double>(strictly_above) / static_cast<double>(sweep.known());
}

}  // namespace bcr::metrics
