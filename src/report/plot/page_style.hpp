#ifndef BCR_SRC_REPORT_PLOT_PAGE_STYLE_HPP
#define BCR_SRC_REPORT_PLOT_PAGE_STYLE_HPP

#include <string_view>

namespace bcr::report {

/// The style sheet of the page, src/report/plot/page.css, built into the program.
std::string_view page_style();

}  // namespace bcr::report

#endif
