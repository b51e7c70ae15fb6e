#include "src/metrics/auroc.hpp"

#include "src/metrics/pair_count.hpp"
#include "src/metrics/positive_class.hpp"

namespace bcr::metrics {

double auroc(const ScoreSweep& sweep) {
  require_both(sweep, "auroc");
  const std::uint64_t doubled = doubled_pairs_above_unknown(sweep, sweep.known_above());
  const std::uint64_t pairs = std::uint64_t(sweep.known()) * std::uint64_t(sweep.unknown());
  return static_cast<double>(doubled) / static_cast<double>(2 * pairs);
}

}  // namespace bcr::metrics
