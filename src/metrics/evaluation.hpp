#ifndef BCR_SRC_METRICS_EVALUATION_HPP
#define BCR_SRC_METRICS_EVALUATION_HPP

#include "src/metrics/confusion_matrix.hpp"
#include "src/metrics/score_sweep.hpp"

#include <map>
#include <string>

namespace bcr::metrics {

/// What a rule answers for each sample: 0 ... C - 1, or C for "unknown".
struct Decided {
  std::string rule;  ///< a name that the metrics know: "inclusion"
  std::span<const std::int32_t> known;
  std::span<const std::int32_t> unknown;
};

/// The counts that all metrics of the registry read: one sort, and one (C + 1) x (C + 1) confusion matrix per rule.
struct Evaluation {
  ScoreSweep sweep;
  std::map<std::string, ConfusionMatrix> decisions;
};

/// Checks the samples and counts them. If there are known and unknown samples, two rules are added: "never", which
/// rejects nothing, and "oracle", which has the best threshold on these very samples.
template <class T>
Evaluation evaluate(const OpenSetSamples<T>& samples, std::span<const Decided> decisions);

}  // namespace bcr::metrics

#endif
