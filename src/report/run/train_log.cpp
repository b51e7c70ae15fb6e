#include "src/report/run/train_log.hpp"

#include "src/core/error.hpp"
#include "src/report/run/json_tree.hpp"

#include <fmt/format.h>

namespace bcr::report {

namespace {

using ByStep = std::map<double, LogRecord>;

std::vector<LogRecord> in_order(const ByStep& records) {
  std::vector<LogRecord> list;
  for (const auto& [step, record] : records) list.push_back(record);
  return list;
}

}  // namespace

std::optional<double> LogRecord::number(const std::string& key) const {
  const auto found = numbers.find(key);
  return found == numbers.end() ? std::nullopt : std::optional(found->second);
}

TrainLog parse_train_log(const std::string_view text, const std::string& source) {
  TrainLog log;
  std::map<std::string, ByStep> kinds;
  std::size_t line = 0, whole_lines = 0, first_torn = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) break;
    const std::string_view words = text.substr(begin, end - begin);
    begin = end + 1;
    ++line;
    if (words.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const Json object = Json::parse(words, nullptr, false);
    if (!object.is_object()) {
      if (log.torn_lines++ == 0) first_torn = line;
      continue;
    }
    ++whole_lines;
    const std::string kind = text_at(object, "kind");
    if (kind == "resume") ++log.resumes;
    if (kind == "resume") log.end_reason.clear();
    if (kind == "end") log.end_reason = text_at(object, "reason");
    LogRecord record;
    flatten_numbers(object, "", record.numbers);
    if (const auto step = record.number("step")) kinds[kind][*step] = std::move(record);
  }
  if (log.torn_lines > 0 && whole_lines == 0)
    throw IoError(fmt::format("read {}:{}", source, first_torn), "a JSON object in each line", "none in any");
  log.steps = in_order(kinds["step"]);
  log.epochs = in_order(kinds["epoch"]);
  log.evaluations = in_order(kinds["eval"]);
  return log;
}

std::vector<Point> series_of(const std::vector<LogRecord>& records, const std::string& key) {
  std::vector<Point> points;
  for (const LogRecord& record : records) {
    const auto value = record.number(key);
    auto at = record.number("epoch");
    if (!at) at = record.number("step");
    if (value && at) points.push_back({*at, *value});
  }
  return points;
}

}  // namespace bcr::report
