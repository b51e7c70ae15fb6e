#include "src/report/tables/text_columns.hpp"

#include "src/report/plot/frame.hpp"

#include <algorithm>
#include <cmath>

namespace bcr::report {

std::string text_columns(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return {};
  std::vector<double> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string words;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto missing = static_cast<std::size_t>(std::lround((widths[i] - text_width(row[i])) / text_width("x")));
      words += row[i] + (i + 1 == row.size() ? "" : std::string(missing + 2, ' '));
    }
    text += words + '\n';
  }
  return text;
}

}  // namespace bcr::report
