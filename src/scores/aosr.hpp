#ifndef BCR_SRC_SCORES_AOSR_HPP
#define BCR_SRC_SCORES_AOSR_HPP

#include "src/scores/options.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The second stage of AOSR (Fang et al., "Learning bounds for open-set learning", ICML 2021): logits of a trained
// network are codes; uniform points around them stand for the unknown, weighted by how isolated they are; a linear
// classifier of C + 1 classes is trained on both. docs/aosr.md says what the paper and its code leave open.

namespace bcr::scores {

/// `count` points, uniform in the box of the codes made 1.2 times as wide: [count, d]; codes [N, d].
std::vector<float> aosr_points(std::span<const float> codes, std::size_t d, std::size_t count, std::uint64_t seed);

/// Weights of points from their anomaly: scaled to [0, 1] over the points; those not above the place floor(kappa M) of
/// the ascending order are 0; then scaled to mean 1. All 1 if all anomalies are equal. NumericsError if none is left.
std::vector<double> aosr_weights(std::span<const double> anomaly, double kappa);

/// z = W x + b with K = C + 1 outputs, and softmax. Parameters: W [K, d], then b [K].
class AosrDetector {
 public:
  AosrDetector(std::size_t d, std::size_t classes) : d_(d), outputs_(classes + 1) {}

  std::size_t inputs() const noexcept { return d_; }
  std::size_t outputs() const noexcept { return outputs_; }
  std::size_t parameters() const noexcept { return outputs_ * (d_ + 1); }
  /// Uniform weights of Glorot and Bengio, biases 0.
  std::vector<double> initial(std::uint64_t seed) const;

  /// What a set of rows adds to loss and gradient: sum_i weight_i (-log p_(target_i)).
  struct Sums {
    double loss = 0;
    std::size_t right = 0;    ///< rows whose most probable output is their target; the lowest index of equals
    std::size_t unknown = 0;  ///< rows whose most probable output is the last
    std::vector<double> gradient;
  };
  /// rows [N, d]. `gradient` has the size of the parameters, or 0 if it is not wanted.
  enum class Gradient { none, wanted };
  Sums evaluate(std::span<const double> parameters, std::span<const float> rows, std::span<const std::int32_t> targets,
                std::span<const double> weights, Gradient gradient) const;

  /// K probabilities of one row.
  void probabilities(std::span<const double> parameters, const float* row, std::span<double> dst) const;

 private:
  std::size_t d_;
  std::size_t outputs_;
};

/// When the second stage ends, by the accuracy of an epoch: below 0.95, or 15 epochs without a new lowest one. The
/// parameters to keep are those after the epoch of the lowest accuracy so far.
class AosrStopRule {
 public:
  enum class Verdict { store, go_on, stop };
  Verdict after_epoch(double accuracy);

 private:
  double lowest_ = 1;
  int waited_ = 0;
};

struct AosrFit {
  std::vector<double> parameters;
  int epochs = 0;            ///< of the second stage that were run
  int kept_epoch = 0;        ///< after which the parameters were taken; 0: before the first
  double unknown_share = 0;  ///< of the training samples, with these parameters
};

/// Points, forest, weights and detector for codes [N, d] with labels in [0, classes).
AosrFit fit_aosr(std::span<const float> codes, std::size_t d, std::span<const std::int32_t> labels, std::size_t classes,
                 const AosrSettings& settings);

}  // namespace bcr::scores

#endif
