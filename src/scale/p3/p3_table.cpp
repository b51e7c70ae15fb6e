#include "src/scale/p3/p3_table.hpp"

#include "src/core/csv.hpp"
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

namespace {

constexpr std::array<std::string_view, 5> columns{"date", "fom", "application", "problem", "platform"};

struct TextColumn {
  std::string_view name;
  std::string P3Details::*member;
};
constexpr std::array<TextColumn, 5> text_columns{{{"program", &P3Details::program},
                                                  {"space", &P3Details::space},
                                                  {"kind", &P3Details::kind},
                                                  {"library", &P3Details::library},
                                                  {"coverage_key", &P3Details::coverage_key}}};

struct NumberColumn {
  std::string_view name;
  double P3Details::*member;
};
constexpr std::array<NumberColumn, 5> number_columns{{{"multiply_accumulates", &P3Details::multiply_accumulates},
                                                      {"bytes", &P3Details::bytes},
                                                      {"fma_per_second", &P3Details::fma_per_second},
                                                      {"bytes_per_second", &P3Details::bytes_per_second},
                                                      {"device_bytes", &P3Details::device_bytes}}};

/// A table whose fields are asked for by the name of their column.
class NamedFields {
 public:
  NamedFields(const CsvRecord& header, const std::string& source) : names_(header.fields), source_(source) {
    for (const std::string_view column : columns) {
      if (place(column) == names_.size())
        throw IoError("read " + source,
                      fmt::format("the column '{}' (of date,fom,application,problem,platform)", column),
                      fmt::format("{} columns without it", names_.size()));
    }
  }

  void go_to(const CsvRecord& record) {
    record_ = &record;
    where_ = fmt::format("{}:{}", source_, record.line);
    if (record.fields.size() != names_.size())
      throw IoError("read " + where_, fmt::format("{} fields", names_.size()), std::to_string(record.fields.size()));
  }

  /// Empty where the table has no such column.
  std::string text(const std::string_view column) const {
    const std::size_t at = place(column);
    return at == names_.size() ? std::string() : record_->fields[at];
  }

  double figure_of_merit() const {
    const std::string field = text("fom");
    const double value = parse(field);
    if (!(value > 0)) throw IoError("read " + where_, "a figure of merit > 0", "'" + field + "'");
    return value;
  }

  double detail(const std::string_view column) const {
    const std::string field = text(column);
    if (field.empty()) return 0;
    const double value = parse(field);
    if (!(value >= 0))
      throw IoError("read " + where_, fmt::format("a number >= 0, or nothing, as {}", column), "'" + field + "'");
    return value;
  }

 private:
  std::size_t place(const std::string_view column) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), column) - names_.begin());
  }

  /// -1 for what is no finite number.
  static double parse(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value) ? value : -1;
  }

  const std::vector<std::string>& names_;
  std::string source_;
  std::string where_;
  const CsvRecord* record_ = nullptr;
};

}  // namespace

std::string p3_text(const std::span<const P3Row> rows) {
  std::string text = "date,fom,application,problem,platform";
  for (const TextColumn& column : text_columns) text += fmt::format(",{}", column.name);
  for (const NumberColumn& column : number_columns) text += fmt::format(",{}", column.name);
  text += "\n";
  for (const P3Row& row : rows) {
    text += fmt::format("{},{},{},{},{}", csv_field(row.date), row.fom, csv_field(row.application),
                        csv_field(row.problem), csv_field(row.platform));
    for (const TextColumn& column : text_columns) text.append(",").append(csv_field(row.details.*column.member));
    for (const NumberColumn& column : number_columns) {
      const double value = row.details.*column.member;
      text += value > 0 ? fmt::format(",{}", value) : ",";
    }
    text += "\n";
  }
  return text;
}

std::vector<P3Row> parse_p3(const std::string_view text, const std::string& source) {
  const std::vector<CsvRecord> records = parse_csv(text, source);
  require<IoError>(!records.empty(), "read " + source, "a header line with the columns of P3", "an empty file");
  NamedFields fields(records.front(), source);
  std::vector<P3Row> rows;
  for (const CsvRecord& record : std::span(records).subspan(1)) {
    fields.go_to(record);
    P3Row& row = rows.emplace_back(P3Row{fields.text("date"), fields.figure_of_merit(), fields.text("application"),
                                         fields.text("problem"), fields.text("platform")});
    for (const TextColumn& column : text_columns) row.details.*column.member = fields.text(column.name);
    for (const NumberColumn& column : number_columns) row.details.*column.member = fields.detail(column.name);
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
