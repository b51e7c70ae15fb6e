#ifndef BCR_SRC_ONNX_MODEL_FILE_HPP
#define BCR_SRC_ONNX_MODEL_FILE_HPP

#include "src/predict/rejection.hpp"
#include "src/predict/saved_model.hpp"

#include <string>
#include <vector>

namespace bcr::onnx {

/// A trained model from its input to the decision as one ONNX file, a function of the checkpoint, the rule and our
/// version alone. Input, N being any number of samples:
///
///   images  uint8 [N, H, W, C], as decoded; of texts: tokens  int64 [N, L], padded in front
///
/// Outputs:
///
///   label              int64 [N]: a known class, or -1
///   unknown            bool [N]
///   guess              int64 [N]: the best known class, also where it is rejected
///   score              double [N]: the default score of the loss, by which the rule decides
///   p_inclusion        double [N]: P_I of the guess, of a distance head with an even number of features
///   squared_distances, or logits   float [N, columns]
///   features           float [N, n]
///   min_distance, ...  double [N]: further scores that were asked for
///
/// A ConfigError that names what ONNX cannot express.
std::string model_file(const predict::SavedModel& model, const predict::RejectionOptions& rule,
                       const std::vector<std::string>& further_scores);

}  // namespace bcr::onnx

#endif
