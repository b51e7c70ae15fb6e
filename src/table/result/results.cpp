#include "src/table/result/results.hpp"

#include "src/core/error.hpp"
#include "src/report/tables/paper_results.hpp"

#include <algorithm>
#include <cmath>

namespace bcr::table {
namespace {

constexpr double published_trials = 5;
constexpr double marked_from = 2;

/// A metric of one evaluation as the table names it: macro_f1 is that of the method's own decision.
std::string file_metric(const std::string& metric, const Method& method) {
  return metric == "macro_f1" ? "macro_f1_" + method.decision : metric;
}

std::optional<double> at(const run::NumberTable& table, const std::string& metric) {
  const auto found = table.find(metric);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

/// `set` counts from 0; nothing: over all sets.
std::optional<double> value_of(const run::Metrics& metrics, const std::optional<std::size_t> set,
                               const std::string& metric, const Method& method) {
  const std::string& score = method.score.empty() ? metrics.default_score : method.score;
  const std::string name = file_metric(metric, method);
  if (!set) return name == "accuracy" ? metrics.accuracy : metrics.overall(name, score);
  if (name == "accuracy" || *set >= metrics.sets.size()) return std::nullopt;
  const auto found = metrics.sets[*set].scores.find(score);
  return found == metrics.sets[*set].scores.end() ? std::nullopt : at(found->second, name);
}

std::optional<double> published(const TablePlan& table, const PlaceKey& key) {
  const std::string& setting = table.setting(key.setting).published_as();
  const Method& method = table.method(key.method);
  for (const report::PaperResult& result : report::paper_results(setting)) {
    const bool same_lambda = !key.lambda || !result.lambda || *result.lambda == *key.lambda;
    // What its table lacks, the paper may say in the text.
    const bool is_printed = result.table == table.paper || (method.extra && result.table == "text");
    if (!is_printed || result.unknown != key.unknown || result.method != key.method || !same_lambda) continue;
    const auto found = result.metrics.find(file_metric(key.metric, method));
    if (found != result.metrics.end()) return found->second;
  }
  return std::nullopt;
}

/// Published numbers of methods that we do not have carry the name of their rule too.
std::optional<double> published_alone(const TablePlan& table, const PlaceKey& key) {
  for (const report::PaperResult& result : report::paper_results(table.setting(key.setting).published_as())) {
    if (result.table != table.paper || result.unknown != key.unknown || result.method != key.method) continue;
    for (const auto& [name, value] : result.metrics) {
      if (name == key.metric || name.starts_with(key.metric + "_")) return value;
    }
  }
  return std::nullopt;
}

class Gathering {
 public:
  Gathering(const RunPlan& plan, const std::vector<std::optional<run::Metrics>>& metrics)
      : plan_(plan), metrics_(metrics) {}

  Results run() {
    for (const Reading& reading : plan_.readings) {
      if (metrics_[reading.evaluation]) ++results_.evaluated;
    }
    for (std::size_t s = 0; s < plan_.settings.size(); ++s) {
      if (plan_.is_tuned) choose_lambdas(plan_.settings[s]);
      const auto& unknown = plan_.data[s].unknown;
      for (std::size_t set = 0; set < unknown.size(); ++set) add_places(s, unknown[set], set);
      add_places(s, "", std::nullopt);
    }
    return std::move(results_);
  }

 private:
  std::vector<double> validation_accuracies(const std::string& setting, const std::string& method,
                                            const double lambda) const {
    std::vector<double> values;
    for (const Reading& reading : plan_.readings) {
      if (reading.setting != setting || reading.method != method || reading.lambda != lambda) continue;
      const auto& metrics = metrics_[reading.evaluation];
      if (metrics && metrics->validation_accuracy) values.push_back(*metrics->validation_accuracy);
    }
    return values;
  }

  bool is_tuned(const Method& method) const { return plan_.is_tuned && method.tuned && method.lambdas.empty(); }

  void choose_lambdas(const std::string& setting) {
    for (const std::string& name : plan_.methods) {
      if (!is_tuned(plan_.table.method(name))) continue;
      LambdaChoice choice{setting, name, 0, {}};
      for (const double lambda : lambdas_of(setting, name)) {
        const auto values = validation_accuracies(setting, name, lambda);
        if (!values.empty()) choice.validation_accuracy[lambda] = metrics::summarise_trials(values);
      }
      if (choice.validation_accuracy.empty()) continue;
      choice.lambda = choose_lambda(choice.validation_accuracy);
      results_.choices.push_back(std::move(choice));
    }
  }

  std::vector<double> lambdas_of(const std::string& setting, const std::string& method) const {
    std::vector<double> all;
    for (const Reading& reading : plan_.readings) {
      const bool wanted = reading.setting == setting && reading.method == method && reading.lambda;
      if (wanted && std::find(all.begin(), all.end(), *reading.lambda) == all.end()) all.push_back(*reading.lambda);
    }
    return all;
  }

  void add_places(const std::size_t s, const std::string& unknown, const std::optional<std::size_t> set) {
    const std::string& setting = plan_.settings[s];
    for (const std::string& name : plan_.methods) {
      const Method& method = plan_.table.method(name);
      if (is_tuned(method)) {
        const auto choice = std::find_if(results_.choices.begin(), results_.choices.end(), [&](const LambdaChoice& c) {
          return c.setting == setting && c.method == name;
        });
        const auto read = choice == results_.choices.end() ? std::nullopt : std::optional(choice->lambda);
        add_metrics(s, {setting, unknown, name, std::nullopt, ""}, read, set);
      } else if (method.lambdas.empty()) {
        add_metrics(s, {setting, unknown, name, std::nullopt, ""}, std::nullopt, set);
      } else {
        for (const double lambda : method.lambdas) add_metrics(s, {setting, unknown, name, lambda, ""}, lambda, set);
      }
    }
  }

  void add_metrics(const std::size_t s, PlaceKey key, const std::optional<double> lambda,
                   const std::optional<std::size_t> set) {
    const Method& method = plan_.table.method(key.method);
    for (const std::string& metric : plan_.table.metrics) {
      key.metric = metric;
      std::vector<double> values;
      for (const Reading& reading : plan_.readings) {
        if (reading.setting != key.setting || reading.method != key.method || reading.lambda != lambda) continue;
        const auto& metrics = metrics_[reading.evaluation];
        if (const auto value = metrics ? value_of(*metrics, set, metric, method) : std::nullopt) values.push_back(*value);
      }
      Place place{key, std::nullopt, method.can_run() ? published(plan_.table, key) : published_alone(plan_.table, key),
                  method.shown_as.empty() ? method.name : method.shown_as};
      if (!values.empty()) place.ours = metrics::summarise_trials(values);
      const bool is_part = !set && !plan_.data[s].left_out.empty() && metric != "accuracy";
      if (is_part) place.published.reset();
      results_.places.push_back(std::move(place));
    }
  }

  const RunPlan& plan_;
  const std::vector<std::optional<run::Metrics>>& metrics_;
  Results results_;
};

}  // namespace

Difference difference_from(const metrics::TrialSummary& ours, const double published) {
  Difference difference{ours.mean - published, std::nullopt};
  if (!ours.deviation) return difference;
  const double deviation = *ours.deviation * std::sqrt(1 / static_cast<double>(ours.trials) + 1 / published_trials);
  const bool is_same = difference.value == 0;  // 0 / 0 if the trials agree too
  difference.in_deviations = is_same ? 0 : difference.value / deviation;
  return difference;
}

Mark mark_of(const std::optional<Difference>& difference) {
  if (!difference) return Mark::none;
  if (!difference->in_deviations) return Mark::unknown;
  if (std::abs(*difference->in_deviations) < marked_from) return Mark::within;
  return *difference->in_deviations > 0 ? Mark::above : Mark::below;
}

std::string_view mark_text(const Mark mark) {
  switch (mark) {
    case Mark::within:
      return "≈";
    case Mark::above:
      return "↑";
    case Mark::below:
      return "↓";
    case Mark::unknown:
      return "?";
    case Mark::none:
      break;
  }
  return "";
}

std::optional<Difference> Place::difference() const {
  if (!ours || !published) return std::nullopt;
  return difference_from(*ours, *published);
}

Results gather(const RunPlan& plan, const std::vector<std::optional<run::Metrics>>& metrics) {
  require<ShapeError>(metrics.size() == plan.evaluations.size(), "gather", "metrics of each evaluation",
                      std::to_string(metrics.size()));
  return Gathering(plan, metrics).run();
}

double choose_lambda(const std::map<double, metrics::TrialSummary>& validation_accuracy) {
  require<ShapeError>(!validation_accuracy.empty(), "choose_lambda", "a weight that was tried", "none");
  const auto best = std::max_element(validation_accuracy.begin(), validation_accuracy.end(),
                                     [](const auto& a, const auto& b) { return a.second.mean < b.second.mean; });
  return best->first;
}

}  // namespace bcr::table
