#ifndef BCR_SRC_REPORT_PLOT_DOT_PLOT_HPP
#define BCR_SRC_REPORT_PLOT_DOT_PLOT_HPP

#include "src/report/plot/drawing.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::report {

/// One line of paper per row, a dot with its spread for each series.
struct DotPlot {
  struct Dot {
    double value = 0;
    double spread = 0;
  };
  struct Series {
    std::string name;
    std::vector<std::optional<Dot>> dots;  ///< one per row
  };

  std::string title;
  std::string x_label;
  std::vector<std::string> rows;
  std::vector<Series> series;
};

Drawing draw(const DotPlot& plot);

}  // namespace bcr::report

#endif
