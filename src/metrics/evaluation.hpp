#ifndef BCR_SRC_METRICS_EVALUATION_HPP
#define BCR_SRC_METRICS_EVALUATION_HPP

#include "src/metrics/confusion_matrix.hpp"
#include "src/metrics/score_sweep.hpp"

#include <optional>

namespace bcr::metrics {

/// Rejection thresholds that were fixed before the test samples were seen, in units of the score.
struct RejectionThresholds {
  std::optional<double> inclusion;     ///< P_I = 1/2
  std::optional<double> known_recall;  ///< known_recall_threshold() of training or held-out scores
};

/// The counts that all metrics of the registry read: one sort, and one confusion matrix per threshold.
struct Evaluation {
  ScoreSweep sweep;
  std::optional<ConfusionMatrix> at_inclusion;
  std::optional<ConfusionMatrix> at_known_recall;
  std::optional<ConfusionMatrix> at_oracle;
};

/// Checks the samples and counts them. The oracle threshold is searched if there are known and unknown samples.
template <class T>
Evaluation evaluate(const OpenSetSamples<T>& samples, const RejectionThresholds& thresholds);

}  // namespace bcr::metrics

#endif
