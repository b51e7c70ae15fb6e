#ifndef BCR_SRC_SCALE_STUDY_STUDY_PREDICTION_HPP
#define BCR_SRC_SCALE_STUDY_STUDY_PREDICTION_HPP

#include "src/scale/study/study_result.hpp"

namespace bcr::scale {

/// What the model says of one mode, and from what.
struct StudyPrediction {
  nn::Mode mode = nn::Mode::strict;
  ComputeModel compute;
  std::size_t samples = 0;  ///< batch sizes that the compute model was fitted to
  double gradient_bytes = 0;
  std::vector<PredictedPoint> strong;
  std::vector<PredictedPoint> weak;
};

/// From the points of one rank that differ from the base in nothing but the batch; modes without any are left out.
std::vector<StudyPrediction> predict_study(const StudyResult& result);

}  // namespace bcr::scale

#endif
