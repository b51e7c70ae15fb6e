#ifndef BCR_SRC_SCALE_MEASURE_SYNTHETIC_TEXT_TRAINING_HPP
#define BCR_SRC_SCALE_MEASURE_SYNTHETIC_TEXT_TRAINING_HPP

#include "src/scale/measure/timed_work.hpp"

namespace bcr::scale {

/// The step of bcr-train on texts of random words, all of one length, that lie on the device: forward pass, loss,
/// gradients, Adam. Nothing is loaded.
class SyntheticTextTraining final : public TimedWork {
 public:
  SyntheticTextTraining(const PointOptions& options, comm::Communicator& ranks, const Log& log);

  bool run(Clock::State state, bool stop) override;
  const Clock::Seconds& region_seconds() const override { return clock_.seconds(); }
  const Exec& exec() const override { return exec_; }
  StepWork work() const override;
  double parameters() const override { return static_cast<double>(model_.parameters().count()); }
  double loss() const override;
  double memory_bytes() const override;

 private:
  PointOptions options_;
  Exec exec_;
  models::Model<Exec, Real> model_;
  std::unique_ptr<losses::Objective<Exec, Real>> objective_;
  std::unique_ptr<optim::Optimizer<Exec, Real>> optimizer_;
  train::TrainingStep<Exec, Real> step_;
  train::StepBatch<Exec, Real> batch_;
  Clock clock_;
  std::uint64_t number_ = 0;
};

}  // namespace bcr::scale

#endif
