#ifndef BCR_SRC_REPORT_RUN_SECTION_HPP
#define BCR_SRC_REPORT_RUN_SECTION_HPP

#include "src/report/plot/page.hpp"
#include "src/report/run/run.hpp"

#include <string>

namespace bcr::report {

/// All that there is to say and show of one run (or trial); files are named `prefix` + name.
void add_run(Page& page, const Run& run, const std::string& prefix);

/// HTML: the numbers people look at first, as cards, with the paper's below where it has them.
std::string summary_cards(const Run& run);

/// HTML: one line on what was trained, how long, and how it ended.
std::string summary_line(const Run& run);

/// HTML: every metric of every score against every unknown set. Empty without metrics.json.
std::string metrics_table(const RunMetrics& metrics);

/// HTML: the largest differences to the double-precision reference. Empty if it was not run.
std::string reference_table(const RunMetrics& metrics);

}  // namespace bcr::report

#endif
