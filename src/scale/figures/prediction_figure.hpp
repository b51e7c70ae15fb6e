#ifndef BCR_SRC_SCALE_FIGURES_PREDICTION_FIGURE_HPP
#define BCR_SRC_SCALE_FIGURES_PREDICTION_FIGURE_HPP

#include "src/report/plot/figure.hpp"
#include "src/scale/study/study_prediction.hpp"

namespace bcr::scale {

/// Predicted efficiencies over ranks, with what was measured over ranks as dots; titles and captions say which is
/// which.
report::Figures prediction_figures(std::span<const StudyPrediction> predictions, const NetworkOptions& network,
                                   std::span<const MeasuredSeries> measured);

}  // namespace bcr::scale

#endif
