#ifndef BCR_SRC_SCALE_FIGURES_STUDY_PAGE_HPP
#define BCR_SRC_SCALE_FIGURES_STUDY_PAGE_HPP

#include "src/report/plot/page.hpp"
#include "src/scale/p3/portability_table.hpp"
#include "src/scale/study/study_prediction.hpp"

namespace bcr::scale {

/// The page of a study: numbers, plots, prediction, portability, and what failed.
report::Page study_page(const StudyResult& result, std::span<const MeasuredSeries> series,
                        std::span<const StudyPrediction> predictions, std::span<const ProblemPortability> portability);

}  // namespace bcr::scale

#endif
