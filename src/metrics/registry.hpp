#ifndef BCR_SRC_METRICS_REGISTRY_HPP
#define BCR_SRC_METRICS_REGISTRY_HPP

#include "src/metrics/evaluation.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace bcr::metrics {

enum class Better { higher, lower };

/// A metric as a report shows it. `value` is empty where the evaluation does not define the metric: no unknown samples,
/// or no threshold given. What is defined never throws.
struct Metric {
  std::string_view name;
  Better better;
  std::string_view definition;
  std::optional<double> (*value)(const Evaluation&);
};

/// Every metric, in the order of a report. Adding one is adding a line to registry.cpp.
std::span<const Metric> all_metrics();

/// The metric of that name; ConfigError that lists the known names if there is none.
const Metric& find_metric(std::string_view name);

struct MetricValue {
  const Metric* metric = nullptr;
  std::optional<double> value;
};

/// The values of all metrics, in order.
std::vector<MetricValue> evaluate_all_metrics(const Evaluation& evaluation);

}  // namespace bcr::metrics

#endif
