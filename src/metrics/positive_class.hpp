#ifndef BCR_SRC_METRICS_POSITIVE_CLASS_HPP
#define BCR_SRC_METRICS_POSITIVE_CLASS_HPP

#include "src/core/error.hpp"
#include "src/metrics/score_sweep.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace bcr::metrics {

/// Which samples a detector is asked to find. With `known` positives the ranking is by descending score, with
/// `unknown` positives by descending minus score. AUROC is the same for both; AUPR and the FPR at a recall are not.
enum class Positive { known, unknown };

/// The sweep seen from its positive class: after the i best-ranked distinct scores, i = 0 ... groups().
class RankedCounts {
 public:
  RankedCounts(const ScoreSweep& sweep, const Positive positive)
      : sweep_(&sweep), positive_(positive), groups_(sweep.groups()) {}

  std::size_t groups() const { return groups_; }
  std::int32_t all_positives() const { return positives(groups_); }
  std::int32_t all_negatives() const { return negatives(groups_); }

  std::int32_t positives(const std::size_t i) const {
    if (positive_ == Positive::known) return sweep_->known_above()[i];
    return sweep_->unknown() - sweep_->unknown_above()[groups_ - i];
  }
  std::int32_t negatives(const std::size_t i) const {
    if (positive_ == Positive::known) return sweep_->unknown_above()[i];
    return sweep_->known() - sweep_->known_above()[groups_ - i];
  }

 private:
  const ScoreSweep* sweep_;
  Positive positive_;
  std::size_t groups_;
};

/// Throws a ShapeError unless there is at least one known sample.
inline void require_known(const ScoreSweep& sweep, const std::string_view metric) {
  require<ShapeError>(sweep.known() > 0, metric, "at least one known sample", "none");
}

/// Throws a ShapeError unless there is at least one sample of either kind.
inline void require_both(const ScoreSweep& sweep, const std::string_view metric) {
  require_known(sweep, metric);
  require<ShapeError>(sweep.unknown() > 0, metric, "at least one unknown sample", "none");
}

}  // namespace bcr::metrics

#endif
