#include "src/metrics/registry.hpp"

#include "src/core/error.hpp"
#include "src/metrics/accuracy.hpp"
#include "src/metrics/aupr.hpp"
#include "src/metrics/auroc.hpp"
#include "src/metrics/fpr_at_recall.hpp"
#include "src/metrics/macro_f1.hpp"
#include "src/metrics/oscr.hpp"

#include <array>
#include <string>

namespace bcr::metrics {

namespace {

using Value = std::optional<double>;

/// Wraps a metric that needs known and unknown samples.
template <auto metric>
Value of_both(const Evaluation& evaluation) {
  if (evaluation.sweep.known() == 0 || evaluation.sweep.unknown() == 0) return std::nullopt;
  return metric(evaluation.sweep);
}

Value closed_set_accuracy(const Evaluation& evaluation) {
  if (evaluation.sweep.known() == 0) return std::nullopt;
  return accuracy(evaluation.sweep);
}

template <int exponent>
double ccr_at_power_of_ten(const ScoreSweep& sweep) {
  constexpr std::array rates{1.0, 1e-1, 1e-2, 1e-3, 1e-4};
  return ccr_at_fpr(sweep, rates[exponent]);
}

template <Positive positive>
double average_precision_of(const ScoreSweep& sweep) {
  return average_precision(sweep, positive);
}

template <Positive positive>
double aupr_trapezoid_of(const ScoreSweep& sweep) {
  return aupr_trapezoid(sweep, positive);
}

template <Positive positive, RecallRule rule>
double fpr95_of(const ScoreSweep& sweep) {
  return fpr_at_recall(sweep, positive, rule, 0.95);
}

template <auto matrix, F1Definition definition>
Value f1_at(const Evaluation& evaluation) {
  const std::optional<ConfusionMatrix>& counts = evaluation.*matrix;
  if (!counts) return std::nullopt;
  return macro_f1(*counts, definition);
}

constexpr auto known = Positive::known;
constexpr auto unknown = Positive::unknown;
constexpr auto nearest = RecallRule::nearest;
constexpr auto first = RecallRule::first_reached;
constexpr auto mean_of_f1 = F1Definition::mean_of_f1;
constexpr auto harmonic = F1Definition::harmonic_of_means;
constexpr auto higher = Better::higher;
constexpr auto lower = Better::lower;

constexpr std::array table{
    Metric{"accuracy", higher, "fraction of known samples whose closed-set prediction is right, nothing rejected",
           closed_set_accuracy},
    Metric{"auroc", higher, "probability that a known sample scores above an unknown one, ties counted half",
           of_both<auroc>},
    Metric{"aupr_known", higher, "average precision, known samples positive", of_both<average_precision_of<known>>},
    Metric{"aupr_unknown", higher, "average precision, unknown samples positive",
           of_both<average_precision_of<unknown>>},
    Metric{"aupr_known_trapezoid", higher, "trapezoid area under precision over recall, known samples positive",
           of_both<aupr_trapezoid_of<known>>},
    Metric{"aupr_unknown_trapezoid", higher, "trapezoid area under precision over recall, unknown samples positive",
           of_both<aupr_trapezoid_of<unknown>>},
    Metric{"fpr95_known", lower, "fraction of unknown samples accepted at the known recall nearest to 0.95",
           of_both<fpr95_of<known, nearest>>},
    Metric{"fpr95_unknown", lower, "fraction of known samples rejected at the unknown recall nearest to 0.95",
           of_both<fpr95_of<unknown, nearest>>},
    Metric{"fpr95_known_first", lower, "fraction of unknown samples accepted where known recall first reaches 0.95",
           of_both<fpr95_of<known, first>>},
    Metric{"fpr95_unknown_first", lower, "fraction of known samples rejected where unknown recall first reaches 0.95",
           of_both<fpr95_of<unknown, first>>},
    Metric{"ccr_fpr_1e-4", higher, "known samples accepted and right, at false positive rate 1e-4",
           of_both<ccr_at_power_of_ten<4>>},
    Metric{"ccr_fpr_1e-3", higher, "known samples accepted and right, at false positive rate 1e-3",
           of_both<ccr_at_power_of_ten<3>>},
    Metric{"ccr_fpr_1e-2", higher, "known samples accepted and right, at false positive rate 1e-2",
           of_both<ccr_at_power_of_ten<2>>},
    Metric{"ccr_fpr_1e-1", higher, "known samples accepted and right, at false positive rate 0.1; the paper's OSCR",
           of_both<ccr_at_power_of_ten<1>>},
    Metric{"oscr_area", higher, "area under correct classification rate over false positive rate", of_both<oscr_area>},
    Metric{"macro_f1_inclusion", higher, "mean F1 over the known classes and unknown, rejecting P_I < 1/2",
           f1_at<&Evaluation::at_inclusion, mean_of_f1>},
    Metric{"macro_f1_recall95", higher, "mean F1 over the known classes and unknown, threshold of 95 % known recall",
           f1_at<&Evaluation::at_known_recall, mean_of_f1>},
    Metric{"macro_f1_oracle", higher, "mean F1 over the known classes and unknown, best threshold on the test set",
           f1_at<&Evaluation::at_oracle, mean_of_f1>},
    Metric{"macro_f1_inclusion_cgdl", higher, "CGDL's F of mean precision and recall, rejecting P_I < 1/2",
           f1_at<&Evaluation::at_inclusion, harmonic>},
    Metric{"macro_f1_recall95_cgdl", higher, "CGDL's F of mean precision and recall, threshold of 95 % known recall",
           f1_at<&Evaluation::at_known_recall, harmonic>},
};

}  // namespace

std::span<const Metric> all_metrics() {
  return table;
}

const Metric& find_metric(const std::string_view name) {
  std::string names;
  for (const Metric& metric : table) {
    if (metric.name == name) return metric;
    names += (names.empty() ? "" : ", ") + std::string(metric.name);
  }
  throw ConfigError("find_metric", "one of " + names, name);
}

std::vector<MetricValue> evaluate_all_metrics(const Evaluation& evaluation) {
  std::vector<MetricValue> values;
  values.reserve(std::size(table));
  for (const Metric& metric : table) values.push_back({&metric, metric.value(evaluation)});
  return values;
}

}  // namespace bcr::metrics
