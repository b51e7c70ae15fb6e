#ifndef BCR_SRC_SCALE_FIGURES_SCALING_FIGURES_HPP
#define BCR_SRC_SCALE_FIGURES_SCALING_FIGURES_HPP

#include "src/report/plot/figure.hpp"
#include "src/scale/study/study_result.hpp"

namespace bcr::scale {

/// Speed-up and efficiency over threads and over ranks, strong and weak, as far as they were measured.
report::Figures growth_figures(std::span<const MeasuredSeries> series);

/// Time per image against the batch, the image size, depth, width and the number of classes.
report::Figures size_figures(std::span<const MeasuredSeries> series);

}  // namespace bcr::scale

#endif
