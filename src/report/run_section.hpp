#ifndef BCR_SRC_REPORT_RUN_SECTION_HPP
#define BCR_SRC_REPORT_RUN_SECTION_HPP

#include "src/report/plot/page.hpp"
#include "src/report/run/run.hpp"

#include <string>

namespace bcr::report {

/// All that there is to say and show of one run (or trial); files are named `prefix` + name.
void add_run(Page& page, const Run& run, const std::string& prefix);

}  // namespace bcr::report

#endif
