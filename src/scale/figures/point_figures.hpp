#ifndef BCR_SRC_SCALE_FIGURES_POINT_FIGURES_HPP
#define BCR_SRC_SCALE_FIGURES_POINT_FIGURES_HPP

#include "src/report/plot/figure.hpp"
#include "src/scale/study/study_result.hpp"

namespace bcr::scale {

/// Of the base points: the times of the parts of a step, mode beside mode, and a roofline for each mode.
report::Figures point_figures(const StudyResult& result);

}  // namespace bcr::scale

#endif
