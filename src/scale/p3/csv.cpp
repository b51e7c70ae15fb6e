#include "src/scale/p3/csv.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
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

}  // namespace bcr::scale
