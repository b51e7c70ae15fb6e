#ifndef BCR_SRC_METRICS_THRESHOLD_HPP
#define BCR_SRC_METRICS_THRESHOLD_HPP

#include "src/metrics/confusion_matrix.hpp"

#include <span>

namespace bcr::metrics {

// A sample is accepted as known when score >= threshold. The threshold P_I = 1/2 needs no data: in terms of the score
// -min D^2 it is minus the median of the chi-square distribution, in terms of log P_I it is log(1/2); whoever computes
// the score knows it. The two below come from samples.

/// The largest threshold that accepts at least `recall` of these known scores: the k-th largest score, k the smallest
/// integer with k / N >= recall. Take the scores of training or held-out known samples, never of test samples.
/// ShapeError for no scores, NumericsError for NaN or a recall outside (0, 1].
template <class T>
double known_recall_threshold(std::span<const T> known_scores, double recall = 0.95);

struct OracleThreshold {
  double threshold = 0;  ///< +infinity if rejecting everything is best
  double macro_f1 = 0;
};

/// The threshold with the largest macro-F1 (mean of F1) on the samples themselves, the greatest one if several are
/// equal. It has seen the answers: an upper bound, no result. O(N log N + N log C); the sum over classes is a fixed
/// binary tree, renewed along one path per sample, so that no rounding error accumulates over thresholds.
template <class T>
OracleThreshold oracle_f1_threshold(const OpenSetSamples<T>& samples);

}  // namespace bcr::metrics

#endif
