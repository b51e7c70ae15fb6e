#ifndef BCR_SRC_METRICS_FPR_AT_RECALL_HPP
#define BCR_SRC_METRICS_FPR_AT_RECALL_HPP

#include "src/metrics/positive_class.hpp"
#include "src/metrics/score_sweep.hpp"

namespace bcr::metrics {

/// Which threshold stands for "recall 0.95" when no threshold has exactly that recall.
enum class RecallRule {
  /// The recall nearest to the level, looking from full recall downwards (the higher one if two are equally near), and
  /// of all thresholds with that recall the last, which has the largest FPR; but not beyond the first with full recall.
  /// Outlier exposure (unknown positive) and energy-bounded learning (known positive) compute this.
  nearest,
  /// The first threshold whose recall reaches the level: the smallest FPR at which it is reached. OpenOOD and
  /// pytorch-ood (unknown positive).
  first_reached
};

/// The fraction of negatives ranked at or above the threshold where `recall_level` of the positives are.
/// Positive::known is "FPR of unknown samples at 95 % known recall", Positive::unknown the reverse: two numbers.
/// ShapeError if a set is empty, NumericsError unless 0 < recall_level <= 1.
double fpr_at_recall(const ScoreSweep& sweep, Positive positive, RecallRule rule = RecallRule::nearest,
                     double recall_level = 0.95);

}  // namespace bcr::metrics

#endif
