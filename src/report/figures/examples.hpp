#ifndef BCR_SRC_REPORT_FIGURES_EXAMPLES_HPP
#define BCR_SRC_REPORT_FIGURES_EXAMPLES_HPP

#include "src/report/run/scores_file.hpp"

#include <string>

namespace bcr::report {

/// HTML: contact sheets of the best and worst decisions, every image a PNG inside the page. Empty without examples.
std::string example_sheets(const RunScores& scores);

}  // namespace bcr::report

#endif
