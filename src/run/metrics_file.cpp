#include "src/run/metrics_file.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/core/sealed_text.hpp"
#include "src/metrics/registry.hpp"
#include "src/run/json_tree.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bcr::run {
namespace {

constexpr std::string_view metrics_format = "bcr metrics";
constexpr int newest_version = 2;

Json number_or_word(const double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/// Metrics that the registry knows come first, in its order.
Json to_json(const NumberTable& values) {
  Json object = Json::object();
  for (const metrics::Metric& metric : metrics::all_metrics().entries()) {
    const auto found = values.find(metric.name);
    if (found != values.end()) object[found->first] = number_or_word(found->second);
  }
  for (const auto& [name, value] : values)
    if (!object.contains(name)) object[name] = number_or_word(value);
  return object;
}

Json to_json(const ScoreTables& scores) {
  Json object = Json::object();
  for (const auto& [score, values] : scores) object[score] = to_json(values);
  return object;
}

ScoreTables tables_of(const Json& object) {
  ScoreTables tables;
  for (const auto& [name, value] : object.items()) {
    if (value.is_object()) flatten_numbers(value, "", tables[name]);
  }
  return tables;
}

Json parse(const std::string_view text, const std::string& source) {
  Json tree = parse_object(text, source);
  const std::string format = text_at(tree, "format");
  const double version = number_at(tree, "version").value_or(1);
  if ((!format.empty() && format != metrics_format) || version > newest_version) {
    throw IoError("read " + source, fmt::format("format \"{}\", version 1 to {}", metrics_format, newest_version),
                  fmt::format("\"{}\", version {:.0f}", format, version));
  }
  require_seal(text, source, version > 1 ? SealWanted::always : SealWanted::if_there);
  return tree;
}

void write(const std::filesystem::path& path, Json json) {
  json["checksum"] = open_seal;
  write_file(path, seal(json.dump(2) + "\n"));
}

Metrics::Origin origin_of(const Json& from) {
  Metrics::Origin origin;
  origin.checkpoint = text_at(from, "checkpoint");
  origin.weights_sha256 = text_at(from, "weights_sha256");
  origin.split_hash = text_at(from, "split_hash");
  if (const auto step = number_at(from, "step")) origin.step = static_cast<std::uint64_t>(*step);
  for (const auto& [side, digests] : object_at(from, "data_sha256").items()) {
    std::vector<std::string>& list = origin.data_sha256[side];
    for (const Json& digest : digests)
      if (digest.is_string()) list.push_back(digest.get<std::string>());
  }
  return origin;
}

}  // namespace

std::optional<double> Metrics::overall(const std::string& metric, const std::string& score) const {
  const auto lookup = [&](const ScoreTables& tables) -> std::optional<double> {
    const auto table = tables.find(score);
    if (table == tables.end()) return std::nullopt;
    const auto value = table->second.find(metric);
    return value == table->second.end() ? std::nullopt : std::optional(value->second);
  };
  if (metric == "accuracy" && accuracy) return accuracy;
  if (const auto value = lookup(average)) return value;
  return sets.size() == 1 ? lookup(sets.front().scores) : std::nullopt;
}

void write_metrics(const std::filesystem::path& path, const Metrics& metrics) {
  Json json{{"format", metrics_format}, {"version", newest_version}, {"default_score", metrics.default_score}};
  if (metrics.accuracy) json["accuracy"] = number_or_word(*metrics.accuracy);
  if (metrics.validation_accuracy) json["validation"]["accuracy"] = number_or_word(*metrics.validation_accuracy);
  json["sha256_test_logits"] = metrics.test_logits_sha256;
  json["from"] = {{"checkpoint", metrics.from.checkpoint}};
  if (metrics.from.step) json["from"]["step"] = *metrics.from.step;
  json["from"]["weights_sha256"] = metrics.from.weights_sha256;
  json["from"]["split_hash"] = metrics.from.split_hash;
  json["from"]["data_sha256"] = metrics.from.data_sha256;
  json["sets"] = Json::object();
  for (const Metrics::UnknownSet& set : metrics.sets) json["sets"][set.name] = to_json(set.scores);
  json["average"] = to_json(metrics.average);
  json["decisions"] = Json::object();
  for (const auto& [score, rules] : metrics.decisions) {
    for (const auto& [rule, decision] : rules) {
      Json& entry = json["decisions"][score][rule] = {{"found", decision.found}};
      if (decision.threshold) entry["threshold"] = number_or_word(*decision.threshold);
    }
  }
  if (!metrics.reference.empty()) json["reference"] = to_json(metrics.reference);
  if (!metrics.seconds.empty()) json["seconds"] = to_json(metrics.seconds);
  write(path, std::move(json));
}

Metrics parse_metrics(const std::string_view text, const std::string& source) {
  const Json tree = parse(text, source);
  Metrics metrics;
  metrics.default_score = text_at(tree, "default_score");
  metrics.accuracy = number_at(tree, "accuracy");
  metrics.validation_accuracy = number_at(object_at(tree, "validation"), "accuracy");
  metrics.test_logits_sha256 = text_at(tree, "sha256_test_logits");
  metrics.from = origin_of(object_at(tree, "from"));
  for (const auto& [name, value] : object_at(tree, "sets").items()) {
    if (value.is_object()) metrics.sets.push_back({name, tables_of(value)});
  }
  metrics.average = tables_of(object_at(tree, "average"));
  for (const auto& [score, rules] : object_at(tree, "decisions").items()) {
    if (!rules.is_object()) continue;
    for (const auto& [rule, decision] : rules.items())
      if (decision.is_object())
        metrics.decisions[score][rule] = {number_at(decision, "threshold"), text_at(decision, "found")};
  }
  flatten_numbers(object_at(tree, "reference"), "", metrics.reference);
  metrics.seconds = tables_of(object_at(tree, "seconds"));
  return metrics;
}

void write_trial_metrics(const std::filesystem::path& path, const TrialMetrics& metrics) {
  Json json{{"format", metrics_format},
            {"version", newest_version},
            {"trials", metrics.trials},
            {"default_score", metrics.default_score},
            {"average", Json::object()}};
  for (const auto& [score, values] : metrics.average) {
    for (const auto& [metric, summary] : values) {
      Json& entry = json["average"][score][metric] = {{"mean", number_or_word(summary.mean)}};
      if (summary.deviation) entry["deviation"] = number_or_word(*summary.deviation);
    }
  }
  write(path, std::move(json));
}

TrialMetrics parse_trial_metrics(const std::string_view text, const std::string& source) {
  const Json tree = parse(text, source);
  TrialMetrics metrics;
  metrics.trials = static_cast<std::int64_t>(number_at(tree, "trials").value_or(0));
  metrics.default_score = text_at(tree, "default_score");
  for (const auto& [score, values] : object_at(tree, "average").items())
    for (const auto& [metric, summary] : values.items())
      metrics.average[score][metric] = {number_at(summary, "mean").value_or(std::nan("")),
                                        number_at(summary, "deviation")};
  return metrics;
}

}  // namespace bcr::run
