#ifndef BCR_SRC_METRICS_TRIALS_HPP
#define BCR_SRC_METRICS_TRIALS_HPP

#include <cstddef>
#include <optional>
#include <span>

namespace bcr::metrics {

struct TrialSummary {
  std::size_t trials = 0;
  double mean = 0;
  std::optional<double> deviation;  ///< sample standard deviation (n - 1); not defined for a single trial
};

/// Mean and spread of one metric over repeated runs (seeds, splits). ShapeError without values, NumericsError for a
/// value that is not finite.
TrialSummary summarise_trials(std::span<const double> values);

}  // namespace bcr::metrics

#endif
