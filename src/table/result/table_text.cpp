#include "src/table/result/table_text.hpp"

#include "src/core/csv.hpp"
#include "src/report/plot/page.hpp"
#include "src/report/tables/text_columns.hpp"

#include <fmt/format.h>

namespace bcr::table {
namespace {

using report::escape;

/// "0.902 ± 0.004 (0.973 ↓)".
std::string cell_text(const Place* const place) {
  if (place == nullptr) return "";
  std::string text = value_text(place->ours);
  if (!place->published) return text;
  const std::string_view mark = mark_text(mark_of(place->difference()));
  return text + fmt::format(" ({:.3f}{}{})", *place->published, mark.empty() ? "" : " ", mark);
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.6g}", *value) : "";
}

/// How many columns from this one on share the titles down to `depth`: they have one head.
std::size_t span_of(const Grid& grid, const std::size_t column, const std::size_t depth) {
  std::size_t end = column;
  const auto same = [&](const std::size_t other) {
    const auto& a = grid.columns[column].titles;
    const auto& b = grid.columns[other].titles;
    return std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(depth) + 1, b.begin());
  };
  while (end < grid.columns.size() && same(end)) ++end;
  return end - column;
}

std::string latex_heads(const Grid& grid) {
  std::string text;
  const std::size_t lead = grid.row_dimensions.size();
  for (std::size_t depth = 0; depth < grid.column_dimensions.size(); ++depth) {
    text += "  ";
    for (std::size_t i = 0; i + 1 < lead; ++i) text += " & ";
    for (std::size_t column = 0; column < grid.columns.size();) {
      const std::size_t span = span_of(grid, column, depth);
      const std::string title = latex_escape(grid.columns[column].titles[depth]);
      text += span == 1 ? " & " + title : fmt::format(" & \\multicolumn{{{}}}{{c}}{{{}}}", span, title);
      column += span;
    }
    text += " \\\\\n";
  }
  return text;
}

std::string latex_cell(const Grid& grid, const std::size_t row, const std::size_t column) {
  const std::string text = latex_escape(cell_text(grid.cells[row][column]));
  return grid.is_best(row, column) ? "\\textbf{" + text + "}" : text;
}

std::string html_heads(const Grid& grid) {
  std::string html = "<thead>";
  for (std::size_t depth = 0; depth < grid.column_dimensions.size(); ++depth) {
    html += "<tr>";
    for (std::size_t i = 0; i < grid.row_dimensions.size(); ++i) html += "<th class=\"word\"></th>";
    for (std::size_t column = 0; column < grid.columns.size();) {
      const std::size_t span = span_of(grid, column, depth);
      html += fmt::format("<th scope=\"col\" colspan=\"{}\"{}>{}</th>", span, span > 1 ? " class=\"word\"" : "",
                          escape(grid.columns[column].titles[depth]));
      column += span;
    }
    html += "</tr>";
  }
  return html + "</thead>";
}

std::string html_cell(const Grid& grid, const std::size_t row, const std::size_t column) {
  const Place* const place = grid.cells[row][column];
  if (place == nullptr) return "<td></td>";
  const std::string value = value_text(place->ours);
  std::string html = "<td>" + (grid.is_best(row, column) ? "<strong>" + value + "</strong>" : value);
  if (place->published) {
    const auto difference = place->difference();
    std::string tip;
    if (difference) tip = fmt::format("difference {:+.3f}", difference->value);
    if (difference && difference->in_deviations) tip += fmt::format(", {:+.1f} deviations", *difference->in_deviations);
    html += fmt::format("<span class=\"paper\" title=\"{}\">paper {:.3f} {}</span>", escape(tip), *place->published,
                        mark_text(mark_of(difference)));
  }
  return html + "</td>";
}

Grid paper_grid(const Results& results, const TablePlan& table) {
  return make_grid(results.places, table, table.rows, table.columns);
}

/// A line for each method, a column for each metric.
Grid method_grid(const Results& results, const TablePlan& table) {
  return make_grid(results.places, table, {"setting", "unknown", "method", "lambda"}, {"metric"});
}

}  // namespace

std::string plain_text(const Results& results, const TablePlan& table) {
  const Grid grid = method_grid(results, table);
  std::vector<std::vector<std::string>> lines(1);
  for (const std::string& dimension : grid.row_dimensions) lines[0].push_back(dimension);
  for (const Grid::Head& head : grid.columns) lines[0].push_back(head.titles.front());
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    lines.push_back(grid.rows[row].titles);
    for (const Place* const place : grid.cells[row]) lines.back().push_back(cell_text(place));
  }
  return report::text_columns(lines);
}

std::string csv_text(const Results& results, const TablePlan& table) {
  std::string text = "table,setting,unknown,method,lambda,metric,trials,mean,deviation,paper,difference,deviations\n";
  for (const Place& place : results.places) {
    const PlaceKey& key = place.key;
    if (!place.ours && !place.published) continue;
    const auto difference = place.difference();
    std::vector<std::string> fields{table.name, key.setting, key.unknown, key.method, number(key.lambda), key.metric};
    fields.push_back(place.ours ? std::to_string(place.ours->trials) : "0");
    fields.push_back(place.ours ? number(place.ours->mean) : "");
    fields.push_back(place.ours ? number(place.ours->deviation) : "");
    fields.push_back(number(place.published));
    fields.push_back(difference ? number(difference->value) : "");
    fields.push_back(difference ? number(difference->in_deviations) : "");
    for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + csv_field(fields[i]);
    text += "\n";
  }
  return text;
}

std::string latex_escape(const std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"\\", "\\textbackslash{}"}, {"&", "\\&"},  {"%", "\\%"},   {"$", "\\$"},       {"#", "\\#"},
      {"_", "\\_"},                {"{", "\\{"},  {"}", "\\}"},   {"~", "\\textasciitilde{}"},
      {"^", "\\textasciicircum{}"}, {"±", "$\\pm$"}, {"λ", "$\\lambda$"}, {"≈", "$\\approx$"},
      {"↑", "$\\uparrow$"}, {"↓", "$\\downarrow$"}, {"–", "--"}, {"·", "$\\cdot$"}};
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t step = 1;
    std::string_view put = text.substr(i, 1);
    for (const auto& [letters, command] : words) {
      if (text.substr(i).starts_with(letters)) {
        put = command;
        step = letters.size();
        break;
      }
    }
    safe += put;
    i += step;
  }
  return safe;
}

std::string latex_text(const Results& results, const TablePlan& table) {
  const Grid grid = paper_grid(results, table);
  std::string text = fmt::format("% {}: {}. Made by bcr-table.\n", table.paper, table.title);
  text += "\\begin{tabular}{" + std::string(grid.row_dimensions.size(), 'l') + std::string(grid.columns.size(), 'c') +
          "}\n  \\toprule\n" + latex_heads(grid) + "  \\midrule\n";
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    text += "  ";
    for (std::size_t i = 0; i < grid.rows[row].titles.size(); ++i) {
      const bool again = row > 0 && i + 1 < grid.rows[row].titles.size() &&
                         grid.rows[row - 1].titles[i] == grid.rows[row].titles[i];
      text += (i == 0 ? "" : " & ") + (again ? std::string() : latex_escape(grid.rows[row].titles[i]));
    }
    for (std::size_t column = 0; column < grid.columns.size(); ++column) text += " & " + latex_cell(grid, row, column);
    text += " \\\\\n";
  }
  return text + "  \\bottomrule\n\\end{tabular}\n";
}

std::string html_text(const Results& results, const TablePlan& table) {
  constexpr std::size_t most_columns = 12;  // that a page shows side by side
  Grid grid = paper_grid(results, table);
  if (grid.columns.size() > most_columns) grid = method_grid(results, table);
  if (grid.rows.empty()) return "<p class=\"note\">Nothing has been evaluated yet.</p>\n";
  std::string html = "<div class=\"scroll\"><table class=\"numbers\">" + html_heads(grid) + "<tbody>\n";
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    html += "<tr>";
    for (const std::string& title : grid.rows[row].titles) html += "<th scope=\"row\">" + escape(title) + "</th>";
    for (std::size_t column = 0; column < grid.columns.size(); ++column) html += html_cell(grid, row, column);
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

std::string_view legend_text() {
  return "Mean ± standard deviation over trials. Beside it the paper's value, marked by how far ours lies from it: ≈ "
         "less than two deviations of the difference, ↑ above, ↓ below, ? one trial. The paper's deviation is not "
         "printed and taken to be ours.";
}

}  // namespace bcr::table
