#include "src/metrics/registry.hpp"

#include "src/metrics/accuracy.hpp"
#include "src/metrics/aupr.hpp"
#include "src/metrics/fpr_at_recall.hpp"
#include "src/metrics/roc.hpp"

namespace bcr::metrics {

namespace {

using Value = std::function<std::optional<double>(const Evaluation&)>;

/// A metric of the scores of known and unknown samples.
Value of_both(std::function<double(const ScoreSweep&)> metric) {
  return [metric = std::move(metric)](const Evaluation& evaluation) -> std::optional<double> {
    if (evaluation.sweep.known() == 0 || evaluation.sweep.unknown() == 0) return std::nullopt;
    return metric(evaluation.sweep);
  };
}

Value average_precision_of(const Positive positive) {
  return of_both([=](const ScoreSweep& sweep) { return average_precision(sweep, positive); });
}

Value aupr_trapezoid_of(const Positive positive) {
  return of_both([=](const ScoreSweep& sweep) { return aupr_trapezoid(sweep, positive); });
}

Value fpr95_of(const Positive positive, const RecallRule rule) {
  return of_both([=](const ScoreSweep& sweep) { return fpr_at_recall(sweep, positive, rule, 0.95); });
}

Value ccr_at(const double fpr) {
  return of_both([=](const ScoreSweep& sweep) { return ccr_at_fpr(sweep, fpr); });
}

Value f1_at(std::optional<ConfusionMatrix> Evaluation::*const matrix, const F1Definition definition) {
  return [=](const Evaluation& evaluation) -> std::optional<double> {
    const std::optional<ConfusionMatrix>& counts = evaluation.*matrix;
    return counts ? std::optional(macro_f1(*counts, definition)) : std::nullopt;
  };
}

std::optional<double> closed_set_accuracy(const Evaluation& evaluation) {
  if (evaluation.sweep.known() == 0) return std::nullopt;
  return accuracy(evaluation.sweep);
}

constexpr auto known = Positive::known;
constexpr auto unknown = Positive::unknown;
constexpr auto nearest = RecallRule::nearest;
constexpr auto first = RecallRule::first_reached;
constexpr auto mean_of_f1 = F1Definition::mean_of_f1;
constexpr auto harmonic = F1Definition::harmonic_of_means;
constexpr auto higher = Better::higher;
constexpr auto lower = Better::lower;

}  // namespace

Registry<Metric>& all_metrics() {
  static Registry<Metric> registry(
      "metric",
      {{"accuracy", "accuracy", Shown::summary, higher,
        "fraction of known samples whose closed-set prediction is right, nothing rejected", closed_set_accuracy},
       {"auroc", "AUROC", Shown::summary, higher,
        "probability that a known sample scores above an unknown one, ties counted half", of_both(auroc)},
       {"aupr_known", "AUPR known", Shown::table, higher, "average precision, known samples positive",
        average_precision_of(known)},
       {"aupr_unknown", "AUPR unknown", Shown::table, higher, "average precision, unknown samples positive",
        average_precision_of(unknown)},
       {"aupr_known_trapezoid", "AUPR known, trapezoids", Shown::file, higher,
        "trapezoid area under precision over recall, known samples positive", aupr_trapezoid_of(known)},
       {"aupr_unknown_trapezoid", "AUPR unknown, trapezoids", Shown::file, higher,
        "trapezoid area under precision over recall, unknown samples positive", aupr_trapezoid_of(unknown)},
       {"fpr95_known", "FPR at 95 % known", Shown::table, lower,
        "fraction of unknown samples accepted at the known recall nearest to 0.95", fpr95_of(known, nearest)},
       {"fpr95_unknown", "FPR at 95 % unknown", Shown::file, lower,
        "fraction of known samples rejected at the unknown recall nearest to 0.95", fpr95_of(unknown, nearest)},
       {"fpr95_known_first", "FPR where 95 % known is reached", Shown::file, lower,
        "fraction of unknown samples accepted where known recall first reaches 0.95", fpr95_of(known, first)},
       {"fpr95_unknown_first", "FPR where 95 % unknown is reached", Shown::file, lower,
        "fraction of known samples rejected where unknown recall first reaches 0.95", fpr95_of(unknown, first)},
       {"ccr_fpr_1e-4", "CCR at FPR 0.0001", Shown::file, higher,
        "known samples accepted and right, at false positive rate 1e-4", ccr_at(1e-4)},
       {"ccr_fpr_1e-3", "CCR at FPR 0.001", Shown::file, higher,
        "known samples accepted and right, at false positive rate 1e-3", ccr_at(1e-3)},
       {"ccr_fpr_1e-2", "CCR at FPR 0.01", Shown::table, higher,
        "known samples accepted and right, at false positive rate 1e-2", ccr_at(1e-2)},
       {"ccr_fpr_1e-1", "CCR at FPR 0.1", Shown::summary, higher,
        "known samples accepted and right, at false positive rate 0.1; the paper's OSCR", ccr_at(1e-1)},
       {"oscr_area", "OSCR area", Shown::summary, higher,
        "area under correct classification rate over false positive rate", of_both(oscr_area)},
       {"macro_f1_inclusion", "macro-F1, P_I", Shown::summary, higher,
        "mean F1 over the known classes and unknown, rejecting P_I < 1/2",
        f1_at(&Evaluation::at_inclusion, mean_of_f1)},
       {"macro_f1_recall95", "macro-F1, 95 %", Shown::summary, higher,
        "mean F1 over the known classes and unknown, threshold of 95 % known recall",
        f1_at(&Evaluation::at_known_recall, mean_of_f1)},
       {"macro_f1_oracle", "macro-F1, best", Shown::table, higher,
        "mean F1 over the known classes and unknown, best threshold on the test set",
        f1_at(&Evaluation::at_oracle, mean_of_f1)},
       {"macro_f1_inclusion_cgdl", "CGDL's F, P_I", Shown::file, higher,
        "CGDL's F of mean precision and recall, rejecting P_I < 1/2", f1_at(&Evaluation::at_inclusion, harmonic)},
       {"macro_f1_recall95_cgdl", "CGDL's F, 95 %", Shown::file, higher,
        "CGDL's F of mean precision and recall, threshold of 95 % known recall",
        f1_at(&Evaluation::at_known_recall, harmonic)}});
  return registry;
}

std::vector<MetricValue> evaluate_all_metrics(const Evaluation& evaluation) {
  std::vector<MetricValue> values;
  for (const Metric& metric : all_metrics().entries()) values.push_back({&metric, metric.value(evaluation)});
  return values;
}

std::vector<MetricValue> mean_of_sets(const std::span<const std::vector<MetricValue>> sets) {
  std::vector<MetricValue> means;
  if (sets.empty()) return means;
  for (std::size_t i = 0; i < sets.front().size(); ++i) {
    double sum = 0;
    int defined = 0;
    for (const std::vector<MetricValue>& values : sets) {
      if (!values[i].value) continue;
      sum += *values[i].value;
      ++defined;
    }
    means.push_back({sets.front()[i].metric, defined == 0 ? std::nullopt : std::optional(sum / defined)});
  }
  return means;
}

}  // namespace bcr::metrics
