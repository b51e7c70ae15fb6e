#ifndef BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP
#define BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP

#include "losses/registry.hpp"
#include "src/optim/registry.hpp"
#include "src/scale/point/point_options.hpp"
#include "src/train/experiment.hpp"
#include "src/train/training_step.hpp"

#include <memory>

namespace bcr::scale {

/// Training as bcr-train does it, on noise that lies in device memory: whole steps with shuffling, crops, flips and
/// normalisation, class-inclusion loss, gradients and update.
class SyntheticTraining {
 public:
  using Exec = train::Device;
  using Real = train::Real;

  SyntheticTraining(const PointOptions& options, const Log& log);

  /// One whole step; returns when the device has finished it.
  void run(train::RegionClock<Exec>::State state);

  /// Of the last step that was watched.
  const train::RegionClock<Exec>::Seconds& region_seconds() const { return clock_.seconds(); }

  const Exec& exec() const { return exec_; }
  const models::Model<Exec, Real>& model() const { return model_; }
  /// The loss of the last step.
  double loss() const;
  /// Parameters, gradients and velocities, activations, images.
  double memory_bytes() const;

 private:
  PointOptions options_;
  Exec exec_;
  models::Model<Exec, Real> model_;
  std::unique_ptr<losses::Loss<Exec, Real>> loss_;
  std::unique_ptr<optim::Optimizer<Exec, Real>> optimizer_;
  train::TrainingStep<Exec, Real> step_;
  train::RegionClock<Exec> clock_;
  train::BatchSource<Exec, Real> batches_;
  std::uint64_t number_ = 0;
};

}  // namespace bcr::scale

#endif
