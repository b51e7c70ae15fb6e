#include "src/scale/p3/p3_table.hpp"

#include "src/core/error.hpp"
#include "src/core/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace bcr::scale {
namespace {

class CsvReader {
 public:
  explicit CsvReader(const std::string_view text) : text_(text) {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  }

  std::vector<CsvRecord> read(const std::string& source) {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"' && field_.empty()) {
        read_quoted(source);
      } else if (c == ',') {
        end_field();
      } else if (c == '\n') {
        end_record();
      } else if (c != '\r' || at_ >= text_.size() || text_[at_] != '\n') {
        field_ += c;
      }
    }
    end_record();
    return std::move(records_);
  }

 private:
  void read_quoted(const std::string& source) {
    const std::size_t begun = line_;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '\n') ++line_;
      if (c != '"') {
        field_ += c;
      } else if (at_ < text_.size() && text_[at_] == '"') {
        field_ += text_[at_++];
      } else {
        return;
      }
    }
    throw IoError(fmt::format("read {}:{}", source, begun), "a closing quote", "the end of the file");
  }

  void end_field() { record_.push_back(std::exchange(field_, {})); }

  void end_record() {
    end_field();
    const bool empty = record_.size() == 1 && record_.front().empty();
    if (!empty) records_.push_back({first_line_, record_});
    record_.clear();
    first_line_ = ++line_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t first_line_ = 1;
  std::string field_;
  std::vector<std::string> record_;
  std::vector<CsvRecord> records_;
};

}  // namespace

std::vector<CsvRecord> parse_csv(const std::string_view text, const std::string& source) {
  return CsvReader(text).read(source);
}

std::string csv_field(const std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += c;
    quoted += c;
  }
  return quoted + "\"";
}

namespace {

constexpr std::array<std::string_view, 5> columns{"date", "fom", "application", "problem", "platform"};

/// Where each of our columns stands in the file.
std::array<std::size_t, 5> find_columns(const CsvRecord& header, const std::string& source) {
  std::array<std::size_t, 5> places{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto found = std::find(header.fields.begin(), header.fields.end(), columns[i]);
    if (found == header.fields.end())
      throw IoError("read " + source,
                    fmt::format("the column '{}' (of date,fom,application,problem,platform)", columns[i]),
                    fmt::format("{} columns without it", header.fields.size()));
    places[i] = static_cast<std::size_t>(found - header.fields.begin());
  }
  return places;
}

double parse_fom(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) || !(value > 0))
    throw IoError("read " + where, "a figure of merit > 0", "'" + text + "'");
  return value;
}

}  // namespace

std::string p3_text(const std::span<const P3Row> rows) {
  std::string text = "date,fom,application,problem,platform\n";
  for (const P3Row& row : rows) {
    text += fmt::format("{},{},{},{},{}\n", csv_field(row.date), row.fom, csv_field(row.application),
                        csv_field(row.problem), csv_field(row.platform));
  }
  return text;
}

std::vector<P3Row> parse_p3(const std::string_view text, const std::string& source) {
  const std::vector<CsvRecord> records = parse_csv(text, source);
  require<IoError>(!records.empty(), "read " + source, "a header line with the columns of P3", "an empty file");
  const auto places = find_columns(records.front(), source);
  std::vector<P3Row> rows;
  for (std::size_t i = 1; i < records.size(); ++i) {
    const auto& [line, fields] = records[i];
    const std::string where = fmt::format("{}:{}", source, line);
    if (fields.size() != records.front().fields.size())
      throw IoError("read " + where, fmt::format("{} fields", records.front().fields.size()),
                    std::to_string(fields.size()));
    rows.push_back({fields[places[0]], parse_fom(fields[places[1]], where), fields[places[2]], fields[places[3]],
                    fields[places[4]]});
  }
  return rows;
}

std::vector<P3Row> read_p3(const std::filesystem::path& file) {
  return parse_p3(read_text(file), file.string());
}

std::string machine_of(const std::string& platform) {
  const std::size_t bracket = platform.rfind(" [");
  return platform.ends_with(']') && bracket != std::string::npos ? platform.substr(0, bracket) : platform;
}

}  // namespace bcr::scale
