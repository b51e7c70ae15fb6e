#include "src/train/metrics_file.hpp"

#include "src/core/atomic_file.hpp"
#include "src/metrics/accuracy.hpp"
#include "src/metrics/registry.hpp"
#include "src/metrics/trials.hpp"
#include "src/train/data_record.hpp"
#include "src/train/model_state.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace bcr::train {
namespace {

using Json = nlohmann::ordered_json;

/// Names of the columns of the tables for people.
std::vector<std::string> shown_metrics() {
  std::vector<std::string> names;
  for (const metrics::Metric& metric : metrics::all_metrics().entries())
    if (metric.shown == metrics::Shown::summary) names.push_back(metric.name);
  return names;
}

Json number_or_word(const double value) {
  return std::isfinite(value) ? Json(value) : Json(value > 0 ? "inf" : value < 0 ? "-inf" : "nan");
}

std::string_view name_of(const metrics::OpenmaxDistance distance) {
  for (const auto& [name, value] : enum_names(distance))
    if (value == distance) return name;
  return "";
}

/// In the order of the registry.
Json values_json(const MetricTable::Values& values) {
  Json object = Json::object();
  for (const metrics::Metric& metric : metrics::all_metrics().entries()) {
    const auto found = values.find(metric.name);
    if (found != values.end()) object[found->first] = number_or_word(found->second);
  }
  return object;
}

Json scores_json(const MetricTable::ByScore& scores) {
  Json object = Json::object();
  for (const auto& [score, values] : scores) object[score] = values_json(values);
  return object;
}

MetricTable::Values metric_values(const metrics::Evaluation& evaluation) {
  MetricTable::Values values;
  for (const metrics::MetricValue& entry : metrics::evaluate_all_metrics(evaluation))
    if (entry.value) values[entry.metric->name] = *entry.value;
  return values;
}

MetricTable::ByScore average_of(const std::vector<std::pair<std::string, MetricTable::ByScore>>& sets) {
  MetricTable::ByScore average;
  std::map<std::string, std::map<std::string, int>> defined;  // in how many sets
  for (const auto& [set, scores] : sets)
    for (const auto& [score, values] : scores)
      for (const auto& [metric, value] : values) {
        average[score][metric] += value;
        ++defined[score][metric];
      }
  for (auto& [score, values] : average)
    for (auto& [metric, value] : values) value /= defined[score][metric];
  return average;
}

metrics::TrialSummary summarise(const std::vector<MetricTable>& trials, const std::string& score,
                                const std::string& metric) {
  std::vector<double> values;
  for (const MetricTable& trial : trials) {
    const auto scores = trial.average.find(score);
    if (scores == trial.average.end()) continue;
    const auto value = scores->second.find(metric);
    if (value != scores->second.end()) values.push_back(value->second);
  }
  return metrics::summarise_trials(values);
}

std::string row(const std::string& name, const MetricTable::Values& values) {
  std::string text = fmt::format("{:<24}", name);
  for (const std::string& metric : shown_metrics()) {
    const auto found = values.find(metric);
    text += found == values.end() ? fmt::format("{:>18}", "-") : fmt::format("{:>18.4f}", found->second);
  }
  return text + "\n";
}

std::string heading(const std::string& first) {
  std::string text = fmt::format("{:<24}", first);
  for (const std::string& metric : shown_metrics()) text += fmt::format("{:>18}", metric);
  return text + "\n";
}

}  // namespace

MetricsOrigin metrics_origin(const FoundCheckpoint& found, const OpenData& data) {
  MetricsOrigin origin{.checkpoint = found.path.filename().string(),
                       .step = found.checkpoint.step,
                       .weights_sha256 = weights_sha256(found.checkpoint.tensors),
                       .split_hash = data.split_hash,
                       .data_sha256 = {}};
  for (const DataRecord& record : data_records(data)) origin.data_sha256[record.side] = record.sha256;
  return origin;
}

MetricTable make_metric_table(const EvaluationResult& result) {
  MetricTable table;
  table.default_score = result.scores.front();
  table.accuracy = metrics::accuracy(result.test.known.predictions, result.test.known.labels);
  if (result.validation)
    table.validation_accuracy = metrics::accuracy(result.validation->predictions, result.validation->labels);
  const auto of_set = [&](const std::size_t set) {
    MetricTable::ByScore by_score;
    for (std::size_t score = 0; score < result.scores.size(); ++score)
      by_score[result.scores[score]] = metric_values(
          evaluate_set(result.test, set, score, result.classes, result.thresholds[score].rejection));
    return by_score;
  };
  for (std::size_t set = 0; set < result.test.unknown.size(); ++set)
    table.sets.emplace_back(result.test.unknown[set].first, of_set(set));
  table.average = table.sets.empty() ? of_set(0) : average_of(table.sets);
  return table;
}

void write_metrics_file(const std::filesystem::path& path, const MetricTable& table, const EvaluationResult& result,
                        const MetricsOrigin& origin, const std::optional<ReferenceDifferences>& reference) {
  Json json{{"format", "bcr metrics"},
            {"version", 2},
            {"default_score", table.default_score},
            {"accuracy", table.accuracy},
            {"sha256_test_logits", result.outputs_sha256},
            {"from",
             {{"checkpoint", origin.checkpoint},
              {"step", origin.step},
              {"weights_sha256", origin.weights_sha256},
              {"split_hash", origin.split_hash},
              {"data_sha256", origin.data_sha256}}},
            {"sets", Json::object()}};
  if (table.validation_accuracy) json["validation"] = {{"accuracy", *table.validation_accuracy}};
  for (const auto& [name, scores] : table.sets) json["sets"][name] = scores_json(scores);
  json["average"] = scores_json(table.average);
  json["thresholds_from"] = result.validation ? "validation" : "train_known";
  json["thresholds"] = Json::object();
  for (const auto& [score, rejection] : result.thresholds) {
    Json& entry = json["thresholds"][score] = Json::object();
    if (rejection.inclusion) entry["inclusion"] = number_or_word(*rejection.inclusion);
    if (rejection.known_recall) entry["known_recall_95"] = number_or_word(*rejection.known_recall);
  }
  if (result.openmax) {
    const metrics::OpenmaxSettings& settings = result.openmax->settings();
    json["openmax"] = {{"tail_size", settings.tail_size},
                       {"alpha", settings.alpha},
                       {"distance", name_of(settings.distance)},
                       {"classes_with_tail", result.openmax->classes_with_tail()}};
  }
  if (reference) {
    json["reference"] = {{"images", reference->images},
                         {"feature", number_or_word(reference->feature)},
                         {"distance", number_or_word(reference->output)},
                         {"log_inclusion", number_or_word(reference->log_inclusion)},
                         {"score", number_or_word(reference->score)},
                         {"predictions", reference->predictions}};
  }
  write_file(path, json.dump(2) + "\n");
}

void write_trials_file(const std::filesystem::path& path, const std::vector<MetricTable>& trials) {
  Json json{{"format", "bcr metrics"},
            {"version", 1},
            {"trials", trials.size()},
            {"default_score", trials.front().default_score},
            {"average", Json::object()}};
  for (const auto& [score, values] : trials.front().average) {
    for (const auto& [metric, value] : values) {
      const metrics::TrialSummary summary = summarise(trials, score, metric);
      Json& entry = json["average"][score][metric] = {{"mean", summary.mean}};
      if (summary.deviation) entry["deviation"] = *summary.deviation;
    }
  }
  write_file(path, json.dump(2) + "\n");
}

std::string table_text(const MetricTable& table) {
  std::string text = heading(fmt::format("unknown set, {}", table.default_score));
  for (const auto& [name, scores] : table.sets) text += row(name, scores.at(table.default_score));
  text += fmt::format("\n{}", heading("score, mean of sets"));
  for (const auto& [score, values] : table.average) text += row(score, values);
  return text;
}

std::string trials_text(const std::vector<MetricTable>& trials) {
  const std::string& score = trials.front().default_score;
  std::string text = fmt::format("{} trial{}, {}\n", trials.size(), trials.size() == 1 ? "" : "s", score);
  for (const std::string& metric : shown_metrics()) {
    if (!trials.front().average.at(score).contains(metric)) continue;
    const auto [count, mean, deviation] = summarise(trials, score, metric);
    text += fmt::format("{:<20}{:>10.4f}", metric, mean);
    text += deviation ? fmt::format(" +- {:.4f}\n", *deviation) : std::string("\n");
  }
  return text;
}

}  // namespace bcr::train
