#ifndef BCR_SRC_METRICS_ACCURACY_HPP
#define BCR_SRC_METRICS_ACCURACY_HPP

#include "src/metrics/score_sweep.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace bcr::metrics {

/// Closed-set accuracy: the fraction of known samples whose prediction among the C known classes is right. No sample is
/// rejected, whatever its score. ShapeError without known samples.
double accuracy(const ScoreSweep& sweep);

/// The same from predictions and labels of equal, non-zero length.
double accuracy(std::span<const std::int32_t> predictions, std::span<const std::int32_t> labels);

/// 1 where the prediction equals the label, for OpenSetScores::correct. ShapeError if the lengths differ.
std::vector<std::uint8_t> correctness(std::span<const std::int32_t> predictions, std::span<const std::int32_t> labels);

}  // namespace bcr::metrics

#endif
