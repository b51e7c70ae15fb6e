#ifndef BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP
#define BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP

#include "losses/registry.hpp"
#include "src/optim/registry.hpp"
#include "src/scale/point/point.hpp"
#include "src/train/experiment.hpp"
#include "src/train/shards/sharded_step.hpp"
#include "src/train/training_step.hpp"

#include <memory>
#include <optional>

namespace bcr::scale {

/// Training as bcr-train does it, on noise that lies in device memory: whole steps with shuffling, crops, flips and
/// normalisation, class-inclusion loss, gradients and update, on all ranks together. Every rank holds the noise of the
/// whole batch, a byte for each value of its images.
class SyntheticTraining {
 public:
  using Exec = train::Device;
  using Real = train::Real;

  /// A ConfigError if so many ranks cannot share the shards. `ranks` must outlive this.
  SyntheticTraining(const PointOptions& options, comm::Communicator& ranks, const Log& log);

  enum class Wish { go_on, stop };

  /// One whole step; returns when the device has finished it. Says whether some rank wished to stop.
  Wish run(train::RegionClock<Exec>::State state, Wish own);

  /// Of the last step that was watched.
  const train::RegionClock<Exec>::Seconds& region_seconds() const { return clock_.seconds(); }

  const Exec& exec() const { return exec_; }
  const models::Model<Exec, Real>& model() const { return model_; }
  /// The loss of the last step.
  double loss() const;
  /// Of this rank: parameters, gradients and velocities, activations, images.
  double memory_bytes() const;

 private:
  PointOptions options_;
  comm::ShardLayout layout_;
  Exec exec_;
  train::BatchSource<Exec, Real> batches_;
  models::Model<Exec, Real> model_;
  std::unique_ptr<losses::Loss<Exec, Real>> loss_;
  std::unique_ptr<optim::Optimizer<Exec, Real>> optimizer_;
  std::optional<train::TrainingStep<Exec, Real>> whole_;   ///< of a batch of one shard
  std::optional<train::ShardedStep<Exec, Real>> sharded_;  ///< of several
  train::RegionClock<Exec> clock_;
  std::uint64_t number_ = 0;
};

}  // namespace bcr::scale

#endif
