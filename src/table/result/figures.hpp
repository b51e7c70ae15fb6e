#ifndef BCR_SRC_TABLE_RESULT_FIGURES_HPP
#define BCR_SRC_TABLE_RESULT_FIGURES_HPP

#include "src/report/plot/page.hpp"
#include "src/table/result/results.hpp"

#include <span>
#include <string>

namespace bcr::table {

/// Each metric against lambda, a figure for each setting: ours with deviations, the paper's faint. Nothing for a table
/// without a sweep.
report::Figures lambda_curves(const Results& results, const TablePlan& table);

/// Ours and the paper's as dots, a line for each setting, unknown set and method; nothing for a sweep.
report::Figures comparison_dots(const Results& results, const TablePlan& table);

/// Figure 2 of the paper: P_I for each feature dimension, and P_H, against the distance D.
report::Figures inclusion_curves(std::span<const int> dimensions);

/// The same as lines "D,P_H,P_I n=128,...".
std::string inclusion_csv(std::span<const int> dimensions);

}  // namespace bcr::table

#endif
