#include "src/metrics/fpr_at_recall.hpp"

#include <string>

namespace bcr::metrics {

namespace {

/// The smallest i in [1, groups] for which holds(positives(i)); `holds` is monotone and true for all positives.
template <class Predicate>
std::size_t first_group(const RankedCounts& counts, const Predicate& holds) {
  std::size_t low = 1;
  std::size_t high = counts.groups();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (holds(counts.positives(middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

double distance(const double recall, const double level) {
  return recall < level ? level - recall : recall - level;
}

std::size_t nearest_group(const RankedCounts& counts, const double level) {
  const std::int32_t all = counts.all_positives();
  const auto recall = [all](const std::int32_t positives) {
    return static_cast<double>(positives) / static_cast<double>(all);
  };
  const std::size_t reached = first_group(counts, [&](const std::int32_t p) { return recall(p) >= level; });
  const std::int32_t above = counts.positives(reached);
  if (reached > 1) {
    const std::int32_t below = counts.positives(reached - 1);
    if (distance(recall(below), level) < distance(recall(above), level)) return reached - 1;
  }
  if (above == all) return reached;
  return first_group(counts, [&](const std::int32_t p) { return p > above; }) - 1;
}

}  // namespace

double fpr_at_recall(const ScoreSweep& sweep, const Positive positive, const RecallRule rule,
                     const double recall_level) {
  require_both(sweep, "fpr_at_recall");
  if (!(recall_level > 0 && recall_level <= 1)) {
    throw NumericsError("fpr_at_recall", "a recall level in (0, 1]", std::to_string(recall_level));
  }
  const RankedCounts counts(sweep, positive);
  const auto all = static_cast<double>(counts.all_positives());
  const std::size_t group =
      rule == RecallRule::nearest
          ? nearest_group(counts, recall_level)
          : first_group(counts, [&](const std::int32_t p) { return static_cast<double>(p) / all >= recall_level; });
  return static_cast<double>(counts.negatives(group)) / static_cast<double>(counts.all_negatives());
}

}  // namespace bcr::metrics
