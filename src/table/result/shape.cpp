#include "src/table/result/shape.hpp"

#include "src/metrics/registry.hpp"
#include "src/report/plot/frame.hpp"
#include "src/report/tables/run_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace bcr::table {
namespace {

bool is_in(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool has_number(const Place& place) {
  return place.ours || place.published;
}

std::vector<std::string> varying(const std::vector<Place>& places, const TablePlan& table) {
  std::vector<std::string> found;
  for (const std::string_view dimension : dimensions) {
    std::set<std::string> titles;
    for (const Place& place : places) {
      if (has_number(place)) titles.insert(title_of(std::string(dimension), place, table));
    }
    if (titles.size() > 1) found.emplace_back(dimension);
  }
  return found;
}

Grid::Head head_of(const std::vector<std::string>& list, const Place& place, const TablePlan& table) {
  Grid::Head head;
  for (const std::string& dimension : list) head.titles.push_back(title_of(dimension, place, table));
  return head;
}

std::size_t place_in(std::vector<Grid::Head>& heads, const Grid::Head& head) {
  const auto found = std::find(heads.begin(), heads.end(), head);
  if (found != heads.end()) return static_cast<std::size_t>(found - heads.begin());
  heads.push_back(head);
  return heads.size() - 1;
}

/// Those that vary; all of them if none does.
std::vector<std::string> that_vary(const std::vector<std::string>& wanted, const std::vector<std::string>& vary) {
  std::vector<std::string> kept;
  for (const std::string& dimension : wanted) {
    if (is_in(vary, dimension)) kept.push_back(dimension);
  }
  return kept.empty() ? wanted : kept;
}

bool is_lower_better(const std::string& metric) {
  const auto& all = metrics::all_metrics();
  return all.contains(metric) && all.find(metric).better == metrics::Better::lower;
}

bool is_rival(const Place& place, const Place& other) {
  return &other != &place && other.ours && other.key.metric == place.key.metric &&
         other.key.setting == place.key.setting && other.key.unknown == place.key.unknown;
}

/// Heads in the order in which their titles first came, the first dimension first: all columns of a metric stand side
/// by side, whatever came first.
void sort_heads(std::vector<Grid::Head>& heads, const std::vector<std::string>& list, const std::vector<Place>& places,
                const TablePlan& table) {
  std::vector<std::vector<std::string>> orders(list.size());
  for (const Place& place : places) {
    if (!has_number(place)) continue;
    for (std::size_t d = 0; d < list.size(); ++d) {
      const std::string title = title_of(list[d], place, table);
      if (!is_in(orders[d], title)) orders[d].push_back(title);
    }
  }
  const auto rank = [&](const Grid::Head& head) {
    std::vector<std::ptrdiff_t> places_of_titles;
    for (std::size_t d = 0; d < list.size(); ++d) {
      places_of_titles.push_back(std::find(orders[d].begin(), orders[d].end(), head.titles[d]) - orders[d].begin());
    }
    return places_of_titles;
  };
  std::sort(heads.begin(), heads.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

}  // namespace

std::string title_of(const std::string& dimension, const Place& place, const TablePlan& table) {
  const PlaceKey& key = place.key;
  if (dimension == "setting") return table.setting(key.setting).title;
  if (dimension == "unknown") {
    const bool has_several = !table.setting(key.setting).unknown.empty();
    return key.unknown.empty() && has_several ? "Average" : key.unknown;
  }
  if (dimension == "method") return report::method_title(place.shown_as, std::nullopt);
  if (dimension == "lambda") return key.lambda ? "λ = " + report::number_text(*key.lambda) : "";
  if (metrics::all_metrics().contains(key.metric)) return metrics::all_metrics().find(key.metric).title;
  return key.metric == "macro_f1" ? "macro-F1" : key.metric;
}

std::string value_text(const std::optional<metrics::TrialSummary>& value) {
  if (!value) return "–";
  if (!value->deviation) return fmt::format("{:.3f}", value->mean);
  return fmt::format("{:.3f} ± {:.3f}", value->mean, *value->deviation);
}

bool Grid::is_best(const std::size_t row, const std::size_t column) const {
  const Place* const place = cells[row][column];
  if (place == nullptr || !place->ours) return false;
  const bool lower = is_lower_better(place->key.metric);
  std::size_t rivals = 0;
  for (const auto& line : cells) {
    for (const Place* const other : line) {
      if (other == nullptr || !is_rival(*place, *other)) continue;
      ++rivals;
      const double lead = place->ours->mean - other->ours->mean;
      if (lower ? lead > 0 : lead < 0) return false;
    }
  }
  return rivals > 0;
}

Grid make_grid(const std::vector<Place>& places, const TablePlan& table, const std::vector<std::string>& rows,
               const std::vector<std::string>& columns) {
  const std::vector<std::string> vary = varying(places, table);
  Grid grid;
  grid.row_dimensions = that_vary(rows, vary);
  grid.column_dimensions = that_vary(columns, vary);
  for (const std::string& dimension : vary) {
    if (!is_in(rows, dimension) && !is_in(columns, dimension)) grid.row_dimensions.push_back(dimension);
  }
  for (const Place& place : places) {
    if (!has_number(place)) continue;
    place_in(grid.rows, head_of(grid.row_dimensions, place, table));
    place_in(grid.columns, head_of(grid.column_dimensions, place, table));
  }
  sort_heads(grid.rows, grid.row_dimensions, places, table);
  sort_heads(grid.columns, grid.column_dimensions, places, table);
  grid.cells.assign(grid.rows.size(), std::vector<const Place*>(grid.columns.size(), nullptr));
  for (const Place& place : places) {
    if (!has_number(place)) continue;
    const std::size_t row = place_in(grid.rows, head_of(grid.row_dimensions, place, table));
    grid.cells[row][place_in(grid.columns, head_of(grid.column_dimensions, place, table))] = &place;
  }
  return grid;
}

}  // namespace bcr::table
