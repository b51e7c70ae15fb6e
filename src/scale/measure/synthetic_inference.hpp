#ifndef BCR_SRC_SCALE_MEASURE_SYNTHETIC_INFERENCE_HPP
#define BCR_SRC_SCALE_MEASURE_SYNTHETIC_INFERENCE_HPP

#include "src/scale/measure/timed_work.hpp"
#include "src/train/inference.hpp"

#include <optional>

namespace bcr::scale {

/// A batch as bcr-eval runs it: normalisation (images), forward pass, head, score, predictions to the host.
class SyntheticInference final : public TimedWork {
 public:
  SyntheticInference(const PointOptions& options, const Log& log);

  bool run(Clock::State state, bool stop) override;
  const Clock::Seconds& region_seconds() const override { return clock_.seconds(); }
  const Exec& exec() const override { return exec_; }
  StepWork work() const override;
  double parameters() const override { return static_cast<double>(model_.parameters().count()); }
  /// The first score.
  double loss() const override { return score_; }
  double memory_bytes() const override;

 private:
  PointOptions options_;
  Exec exec_;
  train::ModelPlan plan_;
  models::Model<Exec, Real> model_;
  std::optional<train::Loader<Exec, Real>> loader_;  ///< of images
  nn::Tensors<Exec, Real> inputs_;
  train::Inference<Exec, Real> inference_;
  Clock clock_;
  double score_ = 0;
};

}  // namespace bcr::scale

#endif
