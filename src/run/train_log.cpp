#include "src/run/train_log.hpp"

#include "src/core/error.hpp"
#include "src/core/json_depth.hpp"
#include "src/core/open_file.hpp"
#include "src/core/sha256.hpp"
#include "src/core/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>

namespace bcr::run {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view chain_member = ",\"chain\":\"";
constexpr std::size_t chain_digits = 16;
constexpr std::size_t chain_length = chain_member.size() + chain_digits + 2;  // with the quote and the brace

[[noreturn]] void fail(const std::filesystem::path& path, const int reason) {
  throw IoError("train.jsonl", fmt::format("to append to '{}'", path.string()), std::strerror(reason));
}

/// The chain of a line, "" if it has none.
std::string_view chain_of(const std::string_view line) {
  if (line.size() < chain_length || !line.ends_with("\"}")) return {};
  const std::string_view end = line.substr(line.size() - chain_length);
  return end.starts_with(chain_member) ? end.substr(chain_member.size(), chain_digits) : std::string_view();
}

/// Of a line without its chain, "{...}".
std::string next_chain(const std::string_view before, const std::string_view line) {
  return sha256_hex(std::string(before) + std::string(line)).substr(0, chain_digits);
}

/// Whether a line is the one that was written after a line of that chain; one without a chain may be anything.
bool follows(const std::string_view before, const std::string_view line) {
  const std::string_view chain = chain_of(line);
  if (chain.empty()) return before.empty();
  return chain == next_chain(before, std::string(line.substr(0, line.size() - chain_length)) + "}");
}

void flatten(const Json& object, const std::string& prefix, LogRecord& record) {
  for (const auto& [key, value] : object.items()) {
    const std::string name = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object()) flatten(value, name, record);
    if (value.is_number_integer()) record.set(name, value.get<std::int64_t>());
    if (value.is_number_float() && std::isfinite(value.get<double>())) record.set(name, value.get<double>());
    if (value.is_string()) record.set(name, value.get<std::string>());
  }
}

Json to_json(const LogRecord::Value& value) {
  if (const auto* const number = std::get_if<double>(&value))
    return std::isfinite(*number) ? Json(*number) : Json(nullptr);
  if (const auto* const integer = std::get_if<std::int64_t>(&value)) return Json(*integer);
  return Json(std::get<std::string>(value));
}

std::string_view cut_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

bool is_blank(const std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

using ByStep = std::map<double, LogRecord>;

std::vector<LogRecord> in_order(const ByStep& records) {
  std::vector<LogRecord> list;
  for (const auto& [step, record] : records) list.push_back(record);
  return list;
}

}  // namespace

LogRecord& LogRecord::set(std::string key, Value value) {
  values_.emplace_back(std::move(key), std::move(value));
  return *this;
}

std::optional<double> LogRecord::number(const std::string_view key) const {
  for (const auto& [name, value] : values_) {
    if (name != key) continue;
    if (const auto* const number = std::get_if<double>(&value)) return *number;
    if (const auto* const integer = std::get_if<std::int64_t>(&value)) return double(*integer);
  }
  return std::nullopt;
}

std::string LogRecord::text(const std::string_view key) const {
  for (const auto& [name, value] : values_)
    if (name == key && std::holds_alternative<std::string>(value)) return std::get<std::string>(value);
  return {};
}

std::string LogRecord::to_line() const {
  Json line{{"kind", kind_}};
  for (const auto& [key, value] : values_) {
    Json* place = &line;
    for (std::size_t begin = 0; begin <= key.size();) {
      const std::size_t end = std::min(key.find('.', begin), key.size());
      place = &(*place)[key.substr(begin, end - begin)];
      begin = end + 1;
    }
    *place = to_json(value);
  }
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<LogRecord> parse_line(const std::string_view line) {
  if (is_too_deep(line)) return std::nullopt;
  Json object = Json::parse(line, nullptr, false);
  if (!object.is_object()) return std::nullopt;
  LogRecord record;
  const auto kind = object.find("kind");
  if (kind != object.end() && kind->is_string()) record.kind_ = kind->get<std::string>();
  object.erase("kind");
  object.erase("chain");
  flatten(object, "", record);
  return record;
}

TrainLog parse_train_log(std::string_view text, const std::string& source) {
  TrainLog log;
  std::map<std::string, ByStep> kinds;
  std::size_t line = 0, whole_lines = 0, first_torn = 0;
  std::string before;
  while (text.find('\n') != std::string_view::npos) {
    const std::string_view words = cut_line(text);
    ++line;
    if (is_blank(words)) continue;
    std::optional<LogRecord> record = parse_line(words);
    if (!record) {
      if (log.torn_lines++ == 0) first_torn = line;
      continue;
    }
    if (!follows(before, words))
      throw IoError(fmt::format("read {}:{}", source, line), "the line that was written there, by its SHA-256",
                    "another");
    before = chain_of(words);
    log.is_chained = !before.empty();
    ++whole_lines;
    if (record->kind() == "resume") ++log.resumes;
    if (record->kind() == "resume") log.end_reason.clear();
    if (record->kind() == "end") log.end_reason = record->text("reason");
    if (const auto step = record->number("step")) kinds[record->kind()][*step] = std::move(*record);
  }
  if (log.torn_lines > 0 && whole_lines == 0)
    throw IoError(fmt::format("read {}:{}", source, first_torn), "a JSON object in each line", "none in any");
  log.steps = in_order(kinds["step"]);
  log.epochs = in_order(kinds["epoch"]);
  log.validations = in_order(kinds["validation"]);
  log.evaluations = in_order(kinds["eval"]);
  log.weights = in_order(kinds["weights"]);
  return log;
}

TrainLogFile::TrainLogFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) fail(path_, errno);
  cut_half_line();
  const std::string content = read_text(path_);
  std::string_view text = content;
  while (text.find('\n') != std::string_view::npos) {
    const std::string_view line = cut_line(text);
    if (parse_line(line)) chain_ = chain_of(line);
  }
  if (content.empty()) append(LogRecord("log").set("format", "bcr train log").set("version", std::int64_t{1}));
}

void TrainLogFile::cut_half_line() {
  const off_t size = ::lseek(descriptor_, 0, SEEK_END);
  off_t whole = size;
  for (; whole > 0; --whole) {
    char last = 0;
    if (::pread(descriptor_, &last, 1, whole - 1) != 1) fail(path_, errno);
    if (last == '\n') break;
  }
  if (whole == size) return;
  if (::ftruncate(descriptor_, whole) != 0) fail(path_, errno);
  bytes_cut_ = static_cast<std::size_t>(size - whole);
}

TrainLogFile::~TrainLogFile() {
  ::close(descriptor_);
}

void TrainLogFile::append(const LogRecord& record) {
  if (!still_has_name(descriptor_, path_))
    throw IoError("train.jsonl", fmt::format("the log that this program began, '{}'", path_.string()),
                  "another file of that name, or none: it was removed or replaced");
  std::string line = record.to_line();
  const std::string chain = next_chain(chain_, line);
  line.pop_back();  // the brace
  line += fmt::format("{}{}\"}}\n", chain_member, chain);
  const ssize_t written = ::write(descriptor_, line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) fail(path_, written < 0 ? errno : ENOSPC);
  chain_ = chain;
}

}  // namespace bcr::run
