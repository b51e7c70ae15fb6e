#include "src/scale/p3/code_lines.hpp"

#include "src/core/error.hpp"
#include "src/core/text_file.hpp"
#include "src/scale/p3/p3_table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace bcr::scale {
namespace {

using Json = nlohmann::json;

CodeLines parse_lines(const std::string& json, const std::string& where) {
  CodeLines lines;
  try {
    const Json coverage = Json::parse(json);
    for (const Json& file : coverage) {
      const auto name = file.at("file").get<std::string>();
      for (const Json& line : file.at("used_lines")) lines.emplace(name, line.get<int>());
    }
  } catch (const Json::exception& error) {
    throw IoError("read " + where, "a coverage: a JSON list of files with 'used_lines'", error.what());
  }
  require<IoError>(!lines.empty(), "read " + where, "at least one line of code", "none");
  return lines;
}

double distance(const CodeLines& a, const CodeLines& b) {
  const auto shared = static_cast<double>(
      std::count_if(a.begin(), a.end(), [&](const CodeLines::value_type& line) { return b.contains(line); }));
  const double either = static_cast<double>(a.size() + b.size()) - shared;
  return either > 0 ? 1 - shared / either : 0;
}

}  // namespace

std::map<std::string, CodeLines> parse_coverage(const std::string_view text, const std::string& source) {
  const std::vector<CsvRecord> records = parse_csv(text, source);
  const std::vector<std::string> header{"coverage_key", "coverage"};
  if (records.empty() || records.front().fields != header)
    throw IoError("read " + source, "the columns coverage_key,coverage", "others");
  std::map<std::string, CodeLines> coverage;
  for (const auto& [line, fields] : std::span(records).subspan(1)) {
    const std::string where = fmt::format("{}:{}", source, line);
    require<IoError>(fields.size() == header.size(), "read " + where, "2 fields", std::to_string(fields.size()));
    coverage[fields[0]] = parse_lines(fields[1], where);
  }
  return coverage;
}

std::map<std::string, CodeLines> read_coverage(const std::filesystem::path& file) {
  return parse_coverage(read_text(file), file.string());
}

double code_divergence(const std::span<const CodeLines* const> platforms) {
  double sum = 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < platforms.size(); ++i) {
    for (std::size_t j = i + 1; j < platforms.size(); ++j) {
      sum += distance(*platforms[i], *platforms[j]);
      ++pairs;
    }
  }
  return pairs == 0 ? 0 : sum / static_cast<double>(pairs);
}

}  // namespace bcr::scale
