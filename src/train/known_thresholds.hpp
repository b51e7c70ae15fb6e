#ifndef BCR_SRC_TRAIN_KNOWN_THRESHOLDS_HPP
#define BCR_SRC_TRAIN_KNOWN_THRESHOLDS_HPP

#include "io/hdf5/checkpoint.hpp"
#include "losses/scores/score.hpp"
#include "src/metrics/conformal.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// The share of known samples that the thresholds in a checkpoint may reject.
inline constexpr double usual_alpha = 0.05;

/// Where P_I = 1/2: needs no data, but a score that is a function of P_I.
std::optional<io::FoundThreshold> inclusion_threshold(const std::string& score, const losses::ScoreShape& shape);

/// The largest that accepts the share 1 - alpha of the validation samples; there must be some, here and below.
io::FoundThreshold recall_threshold(const io::Calibration& calibration, double alpha);
/// Of a p-value <= alpha among all validation samples.
io::FoundThreshold conformal_threshold(const io::Calibration& calibration, double alpha);
/// The same among those of each guessed class. One that has fewer than 1 / alpha - 1 of them is never rejected.
io::FoundThreshold class_conformal_threshold(const io::Calibration& calibration, int classes, double alpha);

/// The scores of the validation samples of each guessed class.
std::vector<metrics::Conformal> conformal_of_classes(const io::Calibration& calibration, int classes);

/// All that a checkpoint is to have: those above that its score and its validation samples can give, with usual_alpha.
/// That of each class only if each has enough samples to reject one.
std::vector<io::FoundThreshold> known_thresholds(const io::Calibration& calibration, const std::string& score,
                                                 const losses::ScoreShape& shape);

}  // namespace bcr::train

#endif
