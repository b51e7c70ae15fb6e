#ifndef BCR_SRC_REPORT_FIGURES_INCLUSION_FIGURE_HPP
#define BCR_SRC_REPORT_FIGURES_INCLUSION_FIGURE_HPP

#include "src/report/plot/figure.hpp"
#include "src/report/run/run.hpp"

namespace bcr::report {

/// P_I(D) = Q(n/2, D^2/2) and P_H(D) = exp(1 - sqrt(D^2 + 1)) at one distance D from an anchor in n dimensions.
double inclusion_probability(double dimension, double distance);
double hypersphere_probability(double distance);

/// Both against the distance, for the n of the run, over the distances that its test images have. Nothing for heads
/// without anchors.
Figures inclusion_figure(const RunScores& scores);

}  // namespace bcr::report

#endif
