#ifndef BCR_SRC_SCALE_STUDY_STUDY_JSON_HPP
#define BCR_SRC_SCALE_STUDY_STUDY_JSON_HPP

#include "src/scale/p3/portability_table.hpp"
#include "src/scale/study/study_prediction.hpp"

namespace bcr::scale {

/// Everything about a study as JSON: sweeps with their numbers, prediction, portability, failures, and each point with
/// its samples.
std::string study_json(const StudyResult& result, std::span<const MeasuredSeries> series,
                       std::span<const StudyPrediction> predictions, std::span<const ProblemPortability> portability);

}  // namespace bcr::scale

#endif
