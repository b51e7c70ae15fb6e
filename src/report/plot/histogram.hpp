#ifndef BCR_SRC_REPORT_PLOT_HISTOGRAM_HPP
#define BCR_SRC_REPORT_PLOT_HISTOGRAM_HPP

#include "src/report/plot/drawing.hpp"
#include "src/report/plot/line_plot.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bcr::report {

/// The range that a histogram of all these values shows: from the `share` quantile to the `1 - share` quantile of each
/// list, the widest of them. Values that are not finite do not count. Without values 0 to 1; never empty.
Axis histogram_range(std::string label, std::span<const std::vector<double>> lists, double share);

/// Shares of the values that fall into `bins` equal parts of the axis. Values outside go to the first or last part, so
/// the shares add up to 1 (all 0 for no values); NaN counts nowhere.
std::vector<double> histogram_shares(std::span<const double> values, const Axis& axis, std::size_t bins);

struct HistogramPlot {
  struct Part {
    std::string name;
    std::vector<double> values;
    std::size_t colour = 0;
  };

  std::string title;
  Axis x;
  std::vector<Part> parts;
  std::vector<Guide> thresholds;
  std::size_t bins = 48;
};

Drawing draw(const HistogramPlot& plot);

/// The outline of a histogram, from the floor to the floor, scaled so that `full` stands at 1.
std::vector<Point> histogram_outline(std::span<const double> shares, const Axis& axis, double full);

}  // namespace bcr::report

#endif
