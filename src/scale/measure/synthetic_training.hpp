#ifndef BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP
#define BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP

#include "src/scale/point/point.hpp"
#include "src/train/experiment.hpp"

namespace bcr::scale {

/// The experiment and the step of bcr-train, on noise that lies in device memory: whole steps with shuffling, crops, flips and
/// normalisation, class-inclusion loss, gradients and update, on all ranks together. Every rank holds the noise of the
/// whole batch, a byte for each value of its images.
class SyntheticTraining {
 public:
  using Exec = train::Device;
  using Real = train::Real;

  /// A ConfigError if so many ranks cannot share the shards. `ranks` must outlive this.
  SyntheticTraining(const PointOptions& options, comm::Communicator& ranks, const Log& log);

  /// One whole step; returns when the device has finished it. `stop`: this rank asks for an end; true if some rank did.
  bool run(train::RegionClock<Exec>::State state, bool stop);

  /// Of the last step that was watched.
  const train::RegionClock<Exec>::Seconds& region_seconds() const { return clock_.seconds(); }

  const Exec& exec() const { return experiment_.context.exec; }
  const models::Model<Exec, Real>& model() const { return experiment_.model; }
  /// The loss of the last step.
  double loss() const;
  /// Of this rank: parameters, gradients and velocities, activations, images.
  double memory_bytes() const;

 private:
  PointOptions options_;
  train::Experiment experiment_;
  train::TrainingStep<Exec, Real> step_;
  train::RegionClock<Exec> clock_;
  std::uint64_t number_ = 0;
};

}  // namespace bcr::scale

#endif
