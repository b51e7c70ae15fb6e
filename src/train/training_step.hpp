#ifndef BCR_SRC_TRAIN_TRAINING_STEP_HPP
#define BCR_SRC_TRAIN_TRAINING_STEP_HPP

#include "losses/loss.hpp"
#include "models/model.hpp"
#include "src/optim/optimizer.hpp"
#include "src/train/batches/batch_source.hpp"
#include "src/train/region_clock.hpp"

#include <cstdint>

namespace bcr::train {

/// What changes from step to step besides the images.
struct StepSettings {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  double rate = 0;
  double lambda = 0;
};

/// One step of training: a forward pass over known and background images together (batch norm sees both), distances or
/// logits, the loss, gradients, the update. Asynchronous on exec, allocates nothing.
template <class Exec, class T>
class TrainingStep {
 public:
  /// The three must outlive the step.
  TrainingStep(models::Model<Exec, T>& model, losses::Loss<Exec, T>& loss, optim::Optimizer<Exec, T>& optimizer);

  void run(const Exec& exec, const StepBatch<Exec, T>& batch, const StepSettings& settings, RegionClock<Exec>& clock);

  /// The parts of the loss of the last step.
  ConstVector<double, Exec> parts() const { return parts_; }

 private:
  models::Model<Exec, T>& model_;
  losses::Loss<Exec, T>& loss_;
  optim::Optimizer<Exec, T>& optimizer_;
  Matrix<T, Exec> diff_outputs_;
  Vector<T, Exec> diff_features_factor_;
  Vector<double, Exec> parts_;
};

}  // namespace bcr::train

#endif
