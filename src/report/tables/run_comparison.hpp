#ifndef BCR_SRC_REPORT_TABLES_RUN_COMPARISON_HPP
#define BCR_SRC_REPORT_TABLES_RUN_COMPARISON_HPP

#include "src/report/plot/page.hpp"
#include "src/report/run/run.hpp"
#include "src/report/tables/run_facts.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bcr::report {

/// The numbers of several runs side by side, with the paper's where it has a run of the same setting and method.
struct RunComparison {
  enum class Rank { other, best };

  struct Column {
    std::string metric;
    std::string title;
    std::string tip;
  };
  struct Cell {
    std::optional<metrics::TrialSummary> value;
    std::optional<double> published;
    Rank rank = Rank::other;
  };
  struct Row {
    std::string name;
    RunFacts facts;
    std::string trials;       ///< how many of them, if there are several
    std::vector<Cell> cells;  ///< one per column
  };

  std::vector<Column> columns;
  std::vector<Row> rows;
  std::vector<std::string> settings;  ///< of the rows, those with published numbers, each once
};

/// Columns without any value are left out. Best is the highest mean of a column, with at least two rows.
RunComparison compare(std::span<const Run> runs);

std::string comparison_html(const RunComparison& comparison);

/// The same as plain text in columns, for a terminal.
std::string comparison_text(const RunComparison& comparison);

/// All that the paper prints for the settings of the rows, as HTML that opens on demand; "" if there is nothing.
std::string paper_results_html(const RunComparison& comparison);

/// AUROC and CCR of the runs as dots, deviations as bars; nothing for fewer than two runs with numbers.
Figures comparison_figure(const RunComparison& comparison);

}  // namespace bcr::report

#endif
