#ifndef BCR_SRC_REPORT_FIGURES_FEATURE_MAP_HPP
#define BCR_SRC_REPORT_FIGURES_FEATURE_MAP_HPP

#include "src/report/plot/figure.hpp"
#include "src/report/run/run.hpp"

namespace bcr::report {

/// Features of known and unknown test images and the anchors, in the plane of largest variance of the known ones.
Figures feature_map(const RunScores& scores);

}  // namespace bcr::report

#endif
