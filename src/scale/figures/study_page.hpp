#ifndef BCR_SRC_SCALE_FIGURES_STUDY_PAGE_HPP
#define BCR_SRC_SCALE_FIGURES_STUDY_PAGE_HPP

#include "src/report/plot/page.hpp"
#include "src/scale/p3/portability.hpp"
#include "src/scale/study/study_result.hpp"

namespace bcr::scale {

/// The page of a study: numbers, plots, prediction, portability, and what failed.
report::Page study_page(const StudyResult& result, std::span<const MeasuredSeries> series,
                        std::span<const StudyPrediction> predictions, std::span<const ProblemPortability> portability);

/// HTML tables of the page of a study; empty where there is nothing to show.
std::string points_html(const StudyResult& result);
std::string regions_html(const StudyResult& result);
std::string prediction_html(std::span<const StudyPrediction> predictions);
std::string portability_html(std::span<const ProblemPortability> problems);
std::string failures_html(std::span<const FailedPoint> failed);

/// Speed-up and efficiency over threads and over ranks, strong and weak, as far as they were measured.
report::Figures growth_figures(std::span<const MeasuredSeries> series);

/// Time per image against the batch, the image size, depth, width and the number of classes.
report::Figures size_figures(std::span<const MeasuredSeries> series);

/// Of the base points: the times of the parts of a step, mode beside mode, and a roofline for each mode.
report::Figures point_figures(const StudyResult& result);

/// Predicted efficiencies over ranks, with what was measured over ranks as dots; titles and captions say which is
/// which.
report::Figures prediction_figures(std::span<const StudyPrediction> predictions, const NetworkOptions& network,
                                   std::span<const MeasuredSeries> measured);

/// Efficiency and portability of each application, platform after platform from its best to its worst: one figure for
/// each problem that at least two applications solve, or that was run on at least two platforms.
report::Figures cascade_figures(std::span<const ProblemPortability> problems,
                                Efficiency kind = Efficiency::application);

}  // namespace bcr::scale

#endif
