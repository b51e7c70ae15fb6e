#ifndef BCR_SRC_TABLE_RESULT_TABLE_PAGE_HPP
#define BCR_SRC_TABLE_RESULT_TABLE_PAGE_HPP

#include "src/report/plot/page.hpp"
#include "src/table/result/results.hpp"
#include "src/table/result/run_list.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace bcr::table {

/// Everything that is written of a table.
struct TableReport {
  const RunPlan& plan;
  const Results& results;
  const std::vector<RunLine>& runs;
  std::string scale;    ///< "small"
  std::string command;  ///< that made it
};

report::Page table_page(const TableReport& report);

/// What a reader must know beside the numbers: what was left out, which background, which lambda, a sentence each.
std::vector<std::string> notes_of(const TableReport& report);

/// Writes NAME.txt, .csv, .tex, .html, NAME-runs.csv and the plots in NAME-plots; returns the page.
std::filesystem::path write_table(const TableReport& report, const std::filesystem::path& out);

}  // namespace bcr::table

#endif
