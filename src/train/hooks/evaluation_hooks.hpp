#ifndef BCR_SRC_TRAIN_HOOKS_EVALUATION_HOOKS_HPP
#define BCR_SRC_TRAIN_HOOKS_EVALUATION_HOOKS_HPP

#include "src/train/best_epoch.hpp"
#include "src/train/open_set_test.hpp"
#include "src/train/training_state.hpp"

namespace bcr::train {

/// Shows a set to the model every train.eval_every epochs and at the end.
class EvaluationHook : public TrainingHook {
 public:
  /// Of an epoch that was saved, but perhaps not yet told.
  void begin(TrainingState& state) final;
  void after_epoch(TrainingState& state) final;

 protected:
  explicit EvaluationHook(Experiment& experiment);
  Inference<Device, Real>& inference() { return inference_; }

 private:
  virtual void evaluate(TrainingState& state) = 0;

  Inference<Device, Real> inference_;
};

/// The accuracy of known images that were kept out of training, data.validation. The model of the best epoch is
/// checkpoint-best.h5; train.patience epochs without a better one end the training.
class ValidationHook final : public EvaluationHook {
 public:
  explicit ValidationHook(Experiment& experiment);

  void save(io::Checkpoint& checkpoint) const override;
  void restore(const io::Checkpoint& checkpoint) override;
  void end(TrainingState& state) override;

 private:
  void evaluate(TrainingState& state) override;

  SharedSet<Device, Real> images_;
  BestEpoch best_;
  io::Calibration calibration_;  ///< of the weights after scored_at_ steps: what thresholds are found on
  std::uint64_t scored_at_ = 0;
};

/// Metrics of the test sets. Nothing is chosen by them.
class TestHook final : public EvaluationHook {
 public:
  explicit TestHook(Experiment& experiment);

 private:
  void evaluate(TrainingState& state) override;

  OpenSetTest<Device, Real> test_;
};

}  // namespace bcr::train

#endif
