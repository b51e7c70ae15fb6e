#ifndef BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP
#define BCR_SRC_SCALE_MEASURE_SYNTHETIC_TRAINING_HPP

#include "src/scale/measure/timed_work.hpp"
#include "src/train/experiment.hpp"

namespace bcr::scale {

/// The experiment and the step of bcr-train, on noise that lies in device memory: whole steps with shuffling, crops,
/// flips and normalisation, loss, gradients and update, on all ranks together. Every rank holds the noise of the whole
/// batch, a byte for each value of its images.
class SyntheticTraining final : public TimedWork {
 public:
  /// A ConfigError if so many ranks cannot share the shards. `ranks` must outlive this.
  SyntheticTraining(const PointOptions& options, comm::Communicator& ranks, const Log& log);

  bool run(Clock::State state, bool stop) override;
  const Clock::Seconds& region_seconds() const override { return clock_.seconds(); }
  const Exec& exec() const override { return experiment_.context.exec; }
  StepWork work() const override;
  double parameters() const override { return static_cast<double>(model().parameters().count()); }
  double loss() const override;
  double memory_bytes() const override;

 private:
  const models::Model<Exec, Real>& model() const { return experiment_.model; }

  PointOptions options_;
  train::Experiment experiment_;
  train::TrainingStep<Exec, Real> step_;
  Clock clock_;
  std::uint64_t number_ = 0;
};

}  // namespace bcr::scale

#endif
