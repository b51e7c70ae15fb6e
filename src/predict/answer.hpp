#ifndef BCR_SRC_PREDICT_ANSWER_HPP
#define BCR_SRC_PREDICT_ANSWER_HPP

#include <cstdint>
#include <optional>

namespace bcr::predict {

/// What a model says of one image. Classes are places in Predictor::class_names().
struct Answer {
  std::int32_t guess = 0;              ///< the best known class
  std::optional<std::int32_t> second;  ///< the next best, if there are two
  bool unknown = false;                ///< the rule rejects the guess
  double score = 0;                    ///< of Predictor::score_name(); higher means more likely known
  std::optional<double> inclusion;     ///< P_I of the guess, where the head has anchors
  std::optional<double> distance;      ///< of the features to the anchor of the guess, likewise
  std::optional<double> p_value;       ///< conformal, where the checkpoint has scores of validation images
};

}  // namespace bcr::predict

#endif
