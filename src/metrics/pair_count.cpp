#include "src/metrics/pair_count.hpp"

#include "src/metrics/host_tasks.hpp"

#include <numeric>
#include <vector>

namespace bcr::metrics {

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

}  // namespace bcr::metrics
