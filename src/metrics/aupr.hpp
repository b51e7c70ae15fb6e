#ifndef BCR_SRC_METRICS_AUPR_HPP
#define BCR_SRC_METRICS_AUPR_HPP

#include "src/metrics/positive_class.hpp"
#include "src/metrics/score_sweep.hpp"

namespace bcr::metrics {

/// Area under the precision-recall curve as average precision, a sum of steps over distinct thresholds,
///   sum_i (R_i - R_{i-1}) P_i,   R_i = TP_i / #positives,   P_i = TP_i / (TP_i + FP_i).
/// It depends on the share of positives: 'known' and 'unknown' are different numbers. ShapeError if a set is empty.
double average_precision(const ScoreSweep& sweep, Positive positive);

/// The same curve joined by straight lines and begun at (R, P) = (0, 1):  sum_i (R_i - R_{i-1}) (P_i + P_{i-1}) / 2.
double aupr_trapezoid(const ScoreSweep& sweep, Positive positive);

}  // namespace bcr::metrics

#endif
