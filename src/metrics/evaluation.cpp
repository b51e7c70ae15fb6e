#include "src/metrics/evaluation.hpp"

#include "src/core/error.hpp"
#include "src/metrics/accuracy.hpp"
#include "src/metrics/threshold.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace bcr::metrics {
namespace {

ConfusionMatrix matrix_of(const Decided& decided, const std::span<const std::int32_t> labels, const std::size_t unknown,
                          const std::int32_t classes) {
  require<ShapeError>(decided.known.size() == labels.size() && decided.unknown.size() == unknown,
                      "decisions " + decided.rule, "one for each sample",
                      std::to_string(decided.known.size()) + " and " + std::to_string(decided.unknown.size()));
  ConfusionMatrix matrix(classes + 1);
  for (std::size_t i = 0; i < labels.size(); ++i) matrix.add(labels[i], decided.known[i]);
  for (const std::int32_t decision : decided.unknown) matrix.add(classes, decision);
  return matrix;
}

}  // namespace

template <class T>
Evaluation evaluate(const OpenSetSamples<T>& samples, const std::span<const Decided> decisions) {
  check(samples);
  const std::vector<std::uint8_t> correct = correctness(samples.known_predictions, samples.known_labels);
  Evaluation evaluation{ScoreSweep(OpenSetScores<T>{samples.known_scores, correct, samples.unknown_scores}), {}};
  for (const Decided& decided : decisions) {
    evaluation.decisions.emplace(
        decided.rule, matrix_of(decided, samples.known_labels, samples.unknown_scores.size(), samples.classes));
  }
  if (!samples.known_scores.empty() && !samples.unknown_scores.empty()) {
    const double all = -std::numeric_limits<double>::infinity();
    evaluation.decisions.emplace("never", open_set_confusion(samples, all));
    evaluation.decisions.emplace("oracle", open_set_confusion(samples, oracle_f1_threshold(samples).threshold));
  }
  return evaluation;
}

template Evaluation evaluate<float>(const OpenSetSamples<float>&, std::span<const Decided>);
template Evaluation evaluate<double>(const OpenSetSamples<double>&, std::span<const Decided>);

}  // namespace bcr::metrics
