#ifndef BCR_SRC_REPORT_PLOT_FIGURE_HPP
#define BCR_SRC_REPORT_PLOT_FIGURE_HPP

#include "src/report/plot/drawing.hpp"

#include <string>
#include <vector>

namespace bcr::report {

/// A drawing with what is said below it. `file` names its SVG file, without folder and ending.
struct Figure {
  std::string file;
  std::string caption;
  Drawing drawing;
};

using Figures = std::vector<Figure>;

}  // namespace bcr::report

#endif
