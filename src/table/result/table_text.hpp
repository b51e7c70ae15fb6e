#ifndef BCR_SRC_TABLE_RESULT_TABLE_TEXT_HPP
#define BCR_SRC_TABLE_RESULT_TABLE_TEXT_HPP

#include "src/table/result/results.hpp"
#include "src/table/result/shape.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace bcr::table {

/// For a terminal: a line for each method, a column for each metric; "0.902 ± 0.004 (0.973 ↓)", the paper's in brackets.
std::string plain_text(const Results& results, const TablePlan& table);

/// A line for each place: table,setting,unknown,method,lambda,metric,trials,mean,deviation,paper,difference,deviations.
/// What is not known is empty.
std::string csv_text(const Results& results, const TablePlan& table);

/// A tabular in the shape of the paper, its number in brackets behind ours, the best of ours in bold; wants booktabs and
/// multirow, nothing else.
std::string latex_text(const Results& results, const TablePlan& table);

/// Text for LaTeX: special letters escaped, ± λ ≈ ↑ ↓ – as commands.
std::string latex_escape(std::string_view text);

/// The same table as a part of an HTML page.
std::string html_text(const Results& results, const TablePlan& table);

/// What is set in bold, and what the marks mean.
std::string_view legend_text();

}  // namespace bcr::table

#endif
