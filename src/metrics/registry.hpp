#ifndef BCR_SRC_METRICS_REGISTRY_HPP
#define BCR_SRC_METRICS_REGISTRY_HPP

#include "src/core/registry.hpp"
#include "src/metrics/evaluation.hpp"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bcr::metrics {

enum class Better { higher, lower };

/// Which tables for people have a column for a metric; files have all of them.
enum class Shown { summary, table, file };

/// A metric as a report shows it. `value` is empty where the evaluation does not define the metric: no unknown samples,
/// or no such decision made. What is defined never throws.
struct Metric {
  std::string name;
  std::string title;  ///< head of a column
  Shown shown;
  Better better;
  std::string definition;
  std::function<std::optional<double>(const Evaluation&)> value;
};

/// A way to answer with C + 1 outcomes. Each gives the metrics macro_f1_<name> and macro_f1_<name>_cgdl.
struct DecisionRule {
  std::string name;
  std::string title;
  Shown shown;
  std::string definition;
};

Registry<DecisionRule>& all_decision_rules();

/// Every metric, in the order of a report. Adding one is adding an entry to registry.cpp, or calling add().
Registry<Metric>& all_metrics();

struct MetricValue {
  const Metric* metric = nullptr;
  std::optional<double> value;
};

/// The values of all metrics, in order.
std::vector<MetricValue> evaluate_all_metrics(const Evaluation& evaluation);

/// The mean of each metric over the unknown sets that define it; lists as evaluate_all_metrics gives them.
std::vector<MetricValue> mean_of_sets(std::span<const std::vector<MetricValue>> sets);

}  // namespace bcr::metrics

#endif
