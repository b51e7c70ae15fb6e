#include "src/metrics/accuracy.hpp"

#include "src/metrics/positive_class.hpp"

#include <algorithm>
#include <string>

namespace bcr::metrics {

double accuracy(const ScoreSweep& sweep) {
  require_known(sweep, "accuracy");
  return static_cast<double>(sweep.correct()) / static_cast<double>(sweep.known());
}

double accuracy(const std::span<const std::int32_t> predictions, const std::span<const std::int32_t> labels) {
  require<ShapeError>(!labels.empty(), "accuracy", "at least one known sample", "none");
  const std::vector<std::uint8_t> correct = correctness(predictions, labels);
  return static_cast<double>(std::count(correct.begin(), correct.end(), 1)) / static_cast<double>(labels.size());
}

std::vector<std::uint8_t> correctness(const std::span<const std::int32_t> predictions,
                                      const std::span<const std::int32_t> labels) {
  if (predictions.size() != labels.size()) {
    throw ShapeError("correctness", "one prediction per label (" + std::to_string(labels.size()) + ")",
                     std::to_string(predictions.size()) + " predictions");
  }
  std::vector<std::uint8_t> correct(labels.size());
  for (std::size_t i = 0; i < labels.size(); ++i) correct[i] = predictions[i] == labels[i] ? 1 : 0;
  return correct;
}

}  // namespace bcr::metrics
