#ifndef BCR_SRC_REPORT_FIGURES_SCORE_HISTOGRAM_HPP
#define BCR_SRC_REPORT_FIGURES_SCORE_HISTOGRAM_HPP

#include "src/report/plot/figure.hpp"
#include "src/report/run/run.hpp"

namespace bcr::report {

/// The default score of known and unknown images with the thresholds, one figure for each unknown set.
Figures score_histograms(const Run& run);

}  // namespace bcr::report

#endif
