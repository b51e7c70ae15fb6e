#include "src/metrics/evaluation.hpp"

#include "src/metrics/accuracy.hpp"
#include "src/metrics/threshold.hpp"

#include <cstdint>
#include <vector>

namespace bcr::metrics {

template <class T>
Evaluation evaluate(const OpenSetSamples<T>& samples, const RejectionThresholds& thresholds) {
  check(samples);
  const std::vector<std::uint8_t> correct = correctness(samples.known_predictions, samples.known_labels);
  Evaluation evaluation{ScoreSweep(OpenSetScores<T>{samples.known_scores, correct, samples.unknown_scores}),
                        std::nullopt, std::nullopt, std::nullopt};
  if (thresholds.inclusion) evaluation.at_inclusion = open_set_confusion(samples, *thresholds.inclusion);
  if (thresholds.known_recall) evaluation.at_known_recall = open_set_confusion(samples, *thresholds.known_recall);
  if (!samples.known_scores.empty() && !samples.unknown_scores.empty()) {
    evaluation.at_oracle = open_set_confusion(samples, oracle_f1_threshold(samples).threshold);
  }
  return evaluation;
}

template Evaluation evaluate<float>(const OpenSetSamples<float>&, const RejectionThresholds&);
template Evaluation evaluate<double>(const OpenSetSamples<double>&, const RejectionThresholds&);

}  // namespace bcr::metrics
