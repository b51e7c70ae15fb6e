#ifndef BCR_SRC_REPORT_PLOT_SCATTER_PLOT_HPP
#define BCR_SRC_REPORT_PLOT_SCATTER_PLOT_HPP

#include "src/report/plot/axis.hpp"
#include "src/report/plot/drawing.hpp"

#include <string>
#include <vector>

namespace bcr::report {

enum class Symbol { dot, ring, diamond };

/// Points that look alike. `names` may be empty; a diamond's name stands beside it, others' are tips.
struct Cloud {
  std::string name;  ///< for the legend; empty: not in it
  Symbol symbol = Symbol::dot;
  std::size_t colour = 0;
  std::vector<Point> points;
  std::vector<std::string> names;
};

struct ScatterPlot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Cloud> clouds;
};

Drawing draw(const ScatterPlot& plot);

}  // namespace bcr::report

#endif
