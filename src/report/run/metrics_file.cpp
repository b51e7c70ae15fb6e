#include "src/report/run/metrics_file.hpp"

#include "src/core/error.hpp"
#include "src/report/run/json_tree.hpp"

namespace bcr::report {

namespace {

constexpr double newest_version = 2;

std::map<std::string, NumberTable> tables_of(const Json& object) {
  std::map<std::string, NumberTable> tables;
  for (const auto& [name, value] : object.items()) {
    if (value.is_object()) flatten_numbers(value, "", tables[name]);
  }
  return tables;
}

}  // namespace

std::optional<double> RunMetrics::overall(const std::string& metric, const std::string& score) const {
  const auto lookup = [&](const std::map<std::string, NumberTable>& tables) -> std::optional<double> {
    const auto table = tables.find(score);
    if (table == tables.end()) return std::nullopt;
    const auto value = table->second.find(metric);
    return value == table->second.end() ? std::nullopt : std::optional(value->second);
  };
  if (metric == "accuracy" && accuracy) return accuracy;
  if (const auto value = lookup(average)) return value;
  return sets.size() == 1 ? lookup(sets.front().scores) : std::nullopt;
}

RunMetrics parse_metrics(const std::string_view text, const std::string& source) {
  const Json tree = parse_object(text, source);
  const std::string format = text_at(tree, "format");
  const double version = number_at(tree, "version").value_or(newest_version);
  if ((!format.empty() && format != "bcr metrics") || version > newest_version) {
    throw IoError("read " + source, "format \"bcr metrics\", version 1 or 2",
                  "\"" + format + "\", version " + std::to_string(static_cast<long>(version)));
  }
  RunMetrics metrics;
  metrics.default_score = text_at(tree, "default_score");
  metrics.accuracy = number_at(tree, "accuracy");
  for (const auto& [name, value] : object_at(tree, "sets").items()) {
    if (value.is_object()) metrics.sets.push_back({name, tables_of(value)});
  }
  metrics.average = tables_of(object_at(tree, "average"));
  metrics.thresholds = tables_of(object_at(tree, "thresholds"));
  flatten_numbers(object_at(tree, "reference"), "", metrics.reference);
  const Json& from = object_at(tree, "from");
  metrics.checkpoint = text_at(from, "checkpoint");
  metrics.weights_sha256 = text_at(from, "weights_sha256");
  metrics.step = number_at(from, "step");
  return metrics;
}

}  // namespace bcr::report
