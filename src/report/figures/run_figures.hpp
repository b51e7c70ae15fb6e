#ifndef BCR_SRC_REPORT_FIGURES_RUN_FIGURES_HPP
#define BCR_SRC_REPORT_FIGURES_RUN_FIGURES_HPP

#include "src/metrics/score_sweep.hpp"
#include "src/report/plot/page.hpp"
#include "src/report/run/run.hpp"
#include "src/report/run/run_scores.hpp"

#include <span>
#include <string>
#include <vector>

namespace bcr::report {

/// Loss, accuracy, distances to the anchors and speed over the epochs of a training; those for which there are lines.
Figures training_figures(const TrainLog& log);

/// AUROC over the epochs, a curve for each run; nothing if fewer than two runs were evaluated while they trained.
Figures training_comparison(std::span<const Run> runs);

/// Points (FPR, TPR) by descending threshold, from (0, 0) to (1, 1): TPR is the share of known, FPR that of unknown
/// samples with a score >= threshold. Empty if a side is empty.
std::vector<Point> roc_points(const metrics::ScoreSweep& sweep);

/// Points (FPR, CCR), from (0, 0) to (1, accuracy): CCR counts known samples that are accepted and right.
std::vector<Point> oscr_points(const metrics::ScoreSweep& sweep);

/// ROC and OSCR of the default score, a curve for each unknown set.
Figures score_curves(const RunScores& scores);

/// The same with a curve for each run, over all its unknown images.
Figures score_curve_comparison(std::span<const Run> runs);

/// The default score of known and unknown images with the thresholds, one figure for each unknown set.
Figures score_histograms(const Run& run);

/// A score below which an image is called unknown.
struct RejectionRule {
  std::string name;  ///< "P_I = ½"
  double score = 0;
};

/// The rules for the default score that were fixed before the test images were seen, the best founded first: those in
/// metrics.json; else, from the scores of training images, the one that accepts 95 % of them.
std::vector<RejectionRule> rejection_rules(const Run& run);

/// P_I(D) = Q(n/2, D^2/2) and P_H(D) = exp(1 - sqrt(D^2 + 1)) at one distance D from an anchor in n dimensions.
double inclusion_probability(double dimension, double distance);
double hypersphere_probability(double distance);

/// Both against the distance, for the n of the run, over the distances that its test images have. Nothing for heads
/// without anchors.
Figures inclusion_figure(const RunScores& scores);

/// True against given class. With a threshold and unknown images there is a class "unknown" more, else nothing is
/// rejected.
Figures confusion_figures(const Run& run);

/// Features of known and unknown test images and the anchors, in the plane of largest variance of the known ones.
Figures feature_map(const RunScores& scores);

/// HTML: contact sheets of the best and worst decisions, every image a PNG inside the page. Empty without examples.
std::string example_sheets(const RunScores& scores);

}  // namespace bcr::report

#endif
