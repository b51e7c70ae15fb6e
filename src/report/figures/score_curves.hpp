#ifndef BCR_SRC_REPORT_FIGURES_SCORE_CURVES_HPP
#define BCR_SRC_REPORT_FIGURES_SCORE_CURVES_HPP

#include "src/metrics/score_sweep.hpp"
#include "src/report/plot/figure.hpp"
#include "src/report/run/run.hpp"

#include <span>

namespace bcr::report {

/// Points (FPR, TPR) by descending threshold, from (0, 0) to (1, 1): TPR is the share of known, FPR that of unknown
/// samples with a score >= threshold. Empty if a side is empty.
std::vector<Point> roc_points(const metrics::ScoreSweep& sweep);

/// Points (FPR, CCR), from (0, 0) to (1, accuracy): CCR counts known samples that are accepted and right.
std::vector<Point> oscr_points(const metrics::ScoreSweep& sweep);

/// ROC and OSCR of the default score, a curve for each unknown set.
Figures score_curves(const RunScores& scores);

/// The same with a curve for each run, over all its unknown images.
Figures score_curve_comparison(std::span<const Run> runs);

}  // namespace bcr::report

#endif
