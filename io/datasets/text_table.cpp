#include "io/datasets/text_readers.hpp"
#include "io/text/line_reader.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace bcr::io {

namespace {

/// Rows of comma-separated values by RFC 4180: fields in quotes may hold commas, line feeds and doubled quotes.
class TableReader {
 public:
  explicit TableReader(const std::filesystem::path& path) : lines_(path) {}

  bool next(std::vector<std::string>& fields) {
    fields.clear();
    if (!lines_.next(line_)) return false;
    std::size_t at = 0;
    while (true) {
      fields.push_back(at < line_.size() && line_[at] == '"' ? quoted(at) : plain(at));
      if (at == line_.size()) return true;
      ++at;  // the comma
    }
  }

  const LineReader& lines() const noexcept { return lines_; }

 private:
  std::string plain(std::size_t& at) const {
    const std::size_t end = std::min(line_.find(',', at), line_.size());
    std::string field = line_.substr(at, end - at);
    at = end;
    return field;
  }

  std::string quoted(std::size_t& at) {
    std::string field;
    ++at;
    while (true) {
      const std::size_t quote = line_.find('"', at);
      field.append(line_, at, quote == std::string::npos ? quote : quote - at);
      if (quote == std::string::npos) {
        field.push_back('\n');
        at = 0;
        if (!lines_.next(line_)) lines_.refuse_line("a closing quote", "the end of the file");
        continue;
      }
      at = quote + 1;
      if (at == line_.size() || line_[at] == ',') return field;
      if (line_[at] != '"') lines_.refuse_line("a comma behind a closing quote", fmt::format("'{}'", line_[at]));
      field.push_back('"');
      ++at;
    }
  }

  LineReader lines_;
  std::string line_;
};

/// The place of a column by number, from 1, or none.
std::size_t column_number(const std::string& column) {
  std::size_t number = 0;
  const auto [end, status] = std::from_chars(column.data(), column.data() + column.size(), number);
  return status == std::errc() && end == column.data() + column.size() ? number : 0;
}

/// Which fields of a row hold the text and the label.
struct Columns {
  std::vector<std::size_t> text;
  std::size_t label = 0;
  std::size_t fields = 0;  ///< of a row; 0: not known yet
};

Columns find_columns(const ImportRequest& request, TableReader& table) {
  Columns columns;
  std::vector<std::string> header;
  const auto place = [&](const std::string& column) -> std::size_t {
    const std::size_t number = column_number(column);
    if (number > 0) return number - 1;
    if (header.empty() && !table.next(header)) table.lines().refuse_line("a header", "an empty file");
    const auto found = std::find(header.begin(), header.end(), column);
    if (found == header.end()) {
      table.lines().refuse_line(fmt::format("a column '{}'", column), fmt::format("{}", fmt::join(header, ", ")));
    }
    return static_cast<std::size_t>(found - header.begin());
  };
  for (const std::string& column : request.text_columns) columns.text.push_back(place(column));
  if (!request.label_column.empty()) columns.label = place(request.label_column);
  columns.fields = header.size();
  return columns;
}

/// Labels in the order of their names, or in the order the user gives, each once.
std::map<std::string, std::int32_t> label_numbers(const std::vector<std::string>& names) {
  std::map<std::string, std::int32_t> numbers;
  for (const std::string& name : names) {
    const bool is_new = numbers.emplace(name, static_cast<std::int32_t>(numbers.size())).second;
    if (!is_new) throw ConfigError("--classes", "each class once", name);
  }
  return numbers;
}

/// Calls take(table, row) for every row of the tables.
template <class Take>
void for_each_row(const ImportRequest& request, const Take& take) {
  std::vector<std::string> row;
  for (const auto& path : request.paths) {
    TableReader table(path);
    Columns columns = find_columns(request, table);
    while (table.next(row)) {
      if (columns.fields == 0) columns.fields = row.size();
      const std::size_t needed =
          std::max(columns.label, *std::max_element(columns.text.begin(), columns.text.end())) + 1;
      if (row.size() != columns.fields || row.size() < needed) {
        table.lines().refuse_line(fmt::format("{} fields", std::max(columns.fields, needed)),
                                  std::to_string(row.size()));
      }
      take(table.lines(), columns, row);
    }
  }
}

}  // namespace

TextSet read_text_table(const ImportRequest& request) {
  require_paths(request, "text-csv", "tables with a text and a label in each row");
  require<ConfigError>(!request.text_columns.empty(), "--text-column", "at least one column", "none");
  const bool labelled = !request.label_column.empty();
  std::vector<std::string> classes = request.class_names;
  if (!labelled) classes = {"unlabelled"};
  if (classes.empty()) {  // a first reading tells which there are
    std::set<std::string> found;
    for_each_row(request, [&](const LineReader&, const Columns& columns, const std::vector<std::string>& row) {
      found.insert(row[columns.label]);
    });
    classes.assign(found.begin(), found.end());
  }
  const auto numbers = label_numbers(classes);
  TextSetBuilder documents(request.empty);
  for_each_row(request, [&](const LineReader& lines, const Columns& columns, const std::vector<std::string>& row) {
    std::string text;
    for (const std::size_t column : columns.text) text.append(row[column]).push_back('\n');
    const auto label = labelled ? numbers.find(row[columns.label]) : numbers.begin();
    if (label == numbers.end()) lines.refuse_line("a label of --classes", fmt::format("'{}'", row[columns.label]));
    documents.add(split_words(text, request.words), label->second, {.file = lines.name(), .line = lines.number()});
    request.progress(documents.count(), 0);
  });
  TextSet set = documents.take();
  set.class_names = std::move(classes);
  set.source = source_text("text-csv", request.paths);
  require_every_class(set, set.source);
  return set;
}

}  // namespace bcr::io
