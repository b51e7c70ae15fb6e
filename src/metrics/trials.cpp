#include "src/metrics/trials.hpp"

#include "src/core/error.hpp"
#include "src/core/finite.hpp"

#include <Kokkos_Core.hpp>

#include <string>

namespace bcr::metrics {

TrialSummary summarise_trials(const std::span<const double> values) {
  require<ShapeError>(!values.empty(), "summarise_trials", "at least one value", "none");
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_finite(values[i])) continue;
    throw NumericsError("summarise_trials", "finite values",
                        std::to_string(values[i]) + " at index " + std::to_string(i));
  }
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double first_mean = sum / n;
  double rest = 0;
  for (const double value : values) rest += value - first_mean;
  TrialSummary summary{values.size(), first_mean + rest / n, std::nullopt};
  if (values.size() == 1) return summary;

  double squares = 0;
  for (const double value : values) {
    const double difference = value - summary.mean;
    squares = Kokkos::fma(difference, difference, squares);
  }
  summary.deviation = Kokkos::sqrt(squares / (n - 1));
  return summary;
}

}  // namespace bcr::metrics
