#ifndef BCR_SRC_TRAIN_OPENMAX_SCORE_HPP
#define BCR_SRC_TRAIN_OPENMAX_SCORE_HPP

#include "io/hdf5/scores_file.hpp"
#include "src/metrics/openmax.hpp"

#include <string_view>

namespace bcr::train {

/// Openmax as a score among the others: fitted to the logits of known training images, applied to those of any set.
/// Columns beyond the known classes (a background class) take no part.
class OpenmaxScore {
 public:
  static constexpr std::string_view name = "openmax";

  /// `training` has labels and outputs.
  OpenmaxScore(const io::SetScores& training, int classes, const metrics::OpenmaxSettings& settings);

  const metrics::OpenmaxSettings& settings() const noexcept { return settings_; }
  /// Classes with at least two different distances to their mean. The others never lose to unknown.
  int classes_with_tail() const;

  /// Adds 1 - P(unknown) of every image to the scores of a set with outputs.
  void add_to(io::SetScores& set) const;

 private:
  metrics::OpenmaxSettings settings_;
  metrics::Openmax openmax_;
};

}  // namespace bcr::train

#endif
