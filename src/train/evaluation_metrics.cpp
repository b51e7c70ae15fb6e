#include "src/train/evaluation_metrics.hpp"

#include "src/metrics/registry.hpp"
#include "src/metrics/trials.hpp"
#include "src/run/set_metrics.hpp"
#include "src/train/data_record.hpp"
#include "src/train/model_state.hpp"

#include <fmt/format.h>

namespace bcr::train {
namespace {

/// Names of the columns of the tables for people.
std::vector<std::string> shown_metrics() {
  std::vector<std::string> names;
  for (const metrics::Metric& metric : metrics::all_metrics().entries())
    if (metric.shown == metrics::Shown::summary) names.push_back(metric.name);
  return names;
}

metrics::TrialSummary summarise(const std::vector<run::Metrics>& trials, const std::string& score,
                                const std::string& metric) {
  std::vector<double> values;
  for (const run::Metrics& trial : trials) {
    const auto scores = trial.average.find(score);
    if (scores == trial.average.end()) continue;
    const auto value = scores->second.find(metric);
    if (value != scores->second.end()) values.push_back(value->second);
  }
  return metrics::summarise_trials(values);
}

std::string row(const std::string& name, const run::NumberTable& values) {
  std::string text = fmt::format("{:<24}", name);
  for (const std::string& metric : shown_metrics()) {
    const auto found = values.find(metric);
    text += found == values.end() ? fmt::format("{:>20}", "-") : fmt::format("{:>20.4f}", found->second);
  }
  return text + "\n";
}

std::string heading(const std::string& first) {
  std::string text = fmt::format("{:<24}", first);
  for (const std::string& metric : shown_metrics()) text += fmt::format("{:>20}", metric);
  return text + "\n";
}

run::Metrics::Origin origin_of(const FoundCheckpoint& found, const OpenData& data) {
  run::Metrics::Origin origin{.checkpoint = found.path.filename().string(),
                              .step = found.checkpoint.step,
                              .weights_sha256 = weights_sha256(found.checkpoint.tensors),
                              .split_hash = data.split_hash,
                              .data_sha256 = {}};
  for (const DataRecord& record : data_records(data)) origin.data_sha256[record.side] = record.sha256;
  return origin;
}

}  // namespace

run::Metrics metrics_of(const EvaluationResult& result, const FoundCheckpoint& found, const OpenData& data) {
  run::Metrics metrics =
      run::metrics_of_answers(result.test.known, result.test.unknown, result.validation, result.classes);
  metrics.default_score = result.scores.front();
  metrics.test_logits_sha256 = result.outputs_sha256;
  metrics.from = origin_of(found, data);
  metrics.seconds = result.seconds;
  for (const Decision& decision : result.decisions)
    metrics.decisions[decision.score][decision.rule] = {decision.threshold, decision.found};
  return metrics;
}

run::NumberTable reference_numbers(const ReferenceDifferences& differences) {
  return {{"images", double(differences.images)},
          {"feature", double(differences.feature)},
          {"distance", double(differences.output)},
          {"log_inclusion", double(differences.log_inclusion)},
          {"score", double(differences.score)},
          {"predictions", double(differences.predictions)}};
}

run::TrialMetrics metrics_of_trials(const std::vector<run::Metrics>& trials) {
  run::TrialMetrics all{static_cast<std::int64_t>(trials.size()), trials.front().default_score, {}};
  for (const auto& [score, values] : trials.front().average) {
    for (const auto& [metric, value] : values) {
      const metrics::TrialSummary summary = summarise(trials, score, metric);
      all.average[score][metric] = {summary.mean, summary.deviation};
    }
  }
  return all;
}

std::string table_text(const run::Metrics& table) {
  std::string text = heading(fmt::format("unknown set, {}", table.default_score));
  for (const auto& [name, scores] : table.sets) text += row(name, scores.at(table.default_score));
  text += fmt::format("\n{}", heading("score, mean of sets"));
  for (const auto& [score, values] : table.average) text += row(score, values);
  return text;
}

std::string trials_text(const run::TrialMetrics& trials) {
  std::string text =
      fmt::format("{} trial{}, {}\n", trials.trials, trials.trials == 1 ? "" : "s", trials.default_score);
  const auto& average = trials.average.at(trials.default_score);
  for (const std::string& metric : shown_metrics()) {
    const auto found = average.find(metric);
    if (found == average.end()) continue;
    text += fmt::format("{:<20}{:>10.4f}", metric, found->second.mean);
    text += found->second.deviation ? fmt::format(" +- {:.4f}\n", *found->second.deviation) : std::string("\n");
  }
  return text;
}

}  // namespace bcr::train
