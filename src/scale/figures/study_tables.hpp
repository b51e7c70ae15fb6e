#ifndef BCR_SRC_SCALE_FIGURES_STUDY_TABLES_HPP
#define BCR_SRC_SCALE_FIGURES_STUDY_TABLES_HPP

#include "src/scale/p3/portability_table.hpp"
#include "src/scale/study/study_prediction.hpp"

namespace bcr::scale {

/// HTML tables of the page of a study; empty where there is nothing to show.
std::string points_html(const StudyResult& result);
std::string regions_html(const StudyResult& result);
std::string prediction_html(std::span<const StudyPrediction> predictions);
std::string portability_html(std::span<const ProblemPortability> problems);
std::string failures_html(std::span<const FailedPoint> failed);

}  // namespace bcr::scale

#endif
