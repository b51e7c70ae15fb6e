#ifndef BCR_SRC_METRICS_ROC_HPP
#define BCR_SRC_METRICS_ROC_HPP

#include "src/metrics/score_sweep.hpp"

#include <vector>

namespace bcr::metrics {

/// The probability that a known sample scores higher than an unknown one, ties counted half:
///   ( #{s_k > s_u} + 1/2 #{s_k = s_u} ) / (N_k N_u).
/// The same number whichever class is called positive. The numerator is an exact integer. ShapeError if a set is empty.
double auroc(const ScoreSweep& sweep);

/// Correct classification rate against false positive rate, at one threshold tau:
///   CCR = #{known samples with a right prediction and score >= tau} / N_k,  FPR = #{unknown, score >= tau} / N_u.
struct OscrPoint {
  double threshold = 0;
  double fpr = 0;
  double ccr = 0;
};

/// One point per distinct score, by descending threshold; the last is (1, accuracy). ShapeError if a set is empty.
std::vector<OscrPoint> oscr_curve(const ScoreSweep& sweep);

/// Area under that curve, tie groups joined by straight lines:
///   1 / (N_k N_u) sum_u ( #{right known samples with s_k > s_u} + 1/2 #{... s_k = s_u} ).
/// At most min(accuracy, AUROC), and equal to AUROC if every prediction is right. The numerator is an exact integer.
double oscr_area(const ScoreSweep& sweep);

/// CCR at a false positive rate f in [0, 1]: tau is the k-th largest unknown score, k = max(1, ceil(f N_u)), and right
/// known samples count if their score is strictly greater, so fewer than k unknown samples are accepted with them.
/// f = 1 rejects nothing and gives the accuracy. ceil(f N_u) is taken as the smallest k with k / N_u >= f, so that
/// f = 0.1 and N_u = 30 give 3 whatever the rounding of 0.1 * 30. The paper's "OSCR" is this at f = 0.1.
double ccr_at_fpr(const ScoreSweep& sweep, double fpr);

}  // namespace bcr::metrics

#endif
