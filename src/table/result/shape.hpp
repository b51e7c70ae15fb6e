#ifndef BCR_SRC_TABLE_RESULT_SHAPE_HPP
#define BCR_SRC_TABLE_RESULT_SHAPE_HPP

#include "src/table/result/results.hpp"

#include <string>
#include <vector>

namespace bcr::table {

/// Places as a table: `rows` and `columns` name what tells them apart. What varies and is named in neither is added to
/// the rows; what does not vary in the whole table is left out, but for one that is all there is.
struct Grid {
  struct Head {
    std::vector<std::string> titles;  ///< one for each of row_dimensions or column_dimensions
    bool operator==(const Head&) const = default;
  };

  std::vector<std::string> row_dimensions;
  std::vector<std::string> column_dimensions;
  std::vector<Head> rows;
  std::vector<Head> columns;
  std::vector<std::vector<const Place*>> cells;  ///< null where the table has no such place

  /// Whether no other place of the same row and metric is better; of rows with several.
  bool is_best(std::size_t row, std::size_t column) const;
};

/// A row or column in which nobody has a number is left out. `places` must outlive the grid.
Grid make_grid(const std::vector<Place>& places, const TablePlan& table, const std::vector<std::string>& rows,
               const std::vector<std::string>& columns);

/// For people: "CIFAR-10", "Average", "Class inclusion", "λ = 5", "AUROC".
std::string title_of(const std::string& dimension, const Place& place, const TablePlan& table);

/// "0.902 ± 0.004", "0.902", or "–".
std::string value_text(const std::optional<metrics::TrialSummary>& value);

}  // namespace bcr::table

#endif
