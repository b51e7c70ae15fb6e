#ifndef BCR_SRC_TRAIN_INPUT_STEP_HPP
#define BCR_SRC_TRAIN_INPUT_STEP_HPP

#include "losses/scores/score.hpp"
#include "models/model.hpp"
#include "src/scores/options.hpp"

#include <vector>

namespace bcr::train {

/// Moves images a little, such that a model takes them for what it takes them for with more confidence (ODIN, Liang et
/// al., ICLR 2018):
///
///   x' = x - epsilon / deviation(channel) sign(dL/dx),   L = -log softmax(z(x) / T)_c,   c the best known class of x,
///
/// sign(0) = 0. The model runs as in inference: running statistics, nothing dropped. x' is not clipped.
template <class Exec, class T>
class InputStep {
 public:
  /// `model` must outlive this, and have been made for training passes of `batch` images with gradients by its inputs.
  /// `deviations`: what pixels in [0, 1] were divided by, of each channel.
  InputStep(models::Model<Exec, T>& model, const losses::ScoreShape& shape, const scores::OdinSettings& settings,
            const std::vector<double>& deviations, std::size_t batch);

  /// The outputs [N, columns] of the model for x', valid until its next pass. Asynchronous on exec.
  Matrix<T, Exec> outputs(const Exec& exec, const Tensor4<T, Exec>& images);

 private:
  models::Model<Exec, T>& model_;
  losses::ScoreShape shape_;
  double temperature_;
  Vector<T, Exec> steps_;           ///< of each channel
  Matrix<T, Exec> diff_outputs_;    ///< [batch, columns]
  Vector<T, Exec> moved_;           ///< batch images
};

}  // namespace bcr::train

#endif
