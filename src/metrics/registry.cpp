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

/// A metric of the decisions by one rule.
Value f1_at(const std::string& rule, const F1Definition definition) {
  return [=](const Evaluation& evaluation) -> std::optional<double> {
    const auto found = evaluation.decisions.find(rule);
    return found == evaluation.decisions.end() ? std::nullopt : std::optional(macro_f1(found->second, definition));
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

/// macro_f1_<rule>, by AOSR's and by CGDL's definition.
bool add_decision_metrics(Registry<Metric>& registry) {
  for (const DecisionRule& rule : all_decision_rules().entries()) {
    registry.add({"macro_f1_" + rule.name, "macro-F1, " + rule.title, rule.shown, higher,
                  "mean F1 over the known classes and unknown, " + rule.definition, f1_at(rule.name, mean_of_f1)});
    registry.add({"macro_f1_" + rule.name + "_cgdl", "CGDL's F, " + rule.title, Shown::file, higher,
                  "CGDL's F of mean precision and recall, " + rule.definition, f1_at(rule.name, harmonic)});
  }
  return true;
}

}  // namespace

Registry<DecisionRule>& all_decision_rules() {
  static Registry<DecisionRule> registry(
      "decision rule",
      {{"inclusion", "P_I", Shown::summary, "rejecting P_I < 1/2"},
       {"recall", "recall", Shown::summary, "at the threshold of eval.recall on training or validation"},
       {"tau", "τ", Shown::summary, "rejecting max_c softmax(z)_c < eval.softmax_threshold"},
       {"own", "own rule", Shown::summary, "by the method's own rule over C + 1 classes"},
       {"given", "given", Shown::table, "at eval.threshold, given by the user"},
       {"never", "never", Shown::table, "rejecting nothing"},
       {"oracle", "best", Shown::table, "at the best threshold on the test set: no result"}});
  return registry;
}

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
        "area under correct classification rate over false positive rate", of_both(oscr_area)}});
  static const bool complete = add_decision_metrics(registry);
  (void)complete;
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
