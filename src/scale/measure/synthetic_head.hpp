#ifndef BCR_SRC_SCALE_MEASURE_SYNTHETIC_HEAD_HPP
#define BCR_SRC_SCALE_MEASURE_SYNTHETIC_HEAD_HPP

#include "src/scale/measure/timed_work.hpp"

namespace bcr::scale {

/// Features of a backbone's size that lie on the device, the first half of the rows known: head, loss, and the
/// gradients of features and head; or, of outputs that lie there, the loss and its gradient alone.
class SyntheticHead final : public TimedWork {
 public:
  explicit SyntheticHead(const PointOptions& options);

  bool run(Clock::State state, bool stop) override;
  const Clock::Seconds& region_seconds() const override { return clock_.seconds(); }
  const Exec& exec() const override { return exec_; }
  StepWork work() const override;
  double parameters() const override { return static_cast<double>(store_.count()); }
  double loss() const override;
  double memory_bytes() const override;

 private:
  PointOptions options_;
  Exec exec_;
  int features_count_;
  nn::ParameterStore<Exec, Real> store_;
  std::unique_ptr<models::Head<Exec, Real>> head_;
  std::unique_ptr<losses::Loss<Exec, Real>> loss_;
  double lambda_ = 0;
  Matrix<Real, Exec> features_, outputs_, diff_features_, diff_outputs_;
  nn::Tensors<Exec, Real> tensors_, gradients_;
  Labels<Exec> labels_;
  Vector<double, Exec> numbers_;
  Clock clock_;
};

}  // namespace bcr::scale

#endif
