#ifndef BCR_SRC_REPORT_PLOT_LINE_PLOT_HPP
#define BCR_SRC_REPORT_PLOT_LINE_PLOT_HPP

#include "src/report/plot/axis.hpp"
#include "src/report/plot/drawing.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::report {

/// How a curve is drawn; `shade` fills what it encloses.
enum class Stroke { strong, faint, dots, shade };

/// A curve through points in the order given; points that are not finite leave a gap.
struct Series {
  std::string name;  ///< for the legend; empty: not in it
  std::vector<Point> points;
  std::size_t colour = 0;
  Stroke stroke = Stroke::strong;
};

/// A straight line across the plot at one value of x.
struct Guide {
  double x = 0;
  std::string text;
};

struct LinePlot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Series> series;
  std::vector<Guide> guides;
  /// A thin line from the first point to the second, such as the diagonal of a ROC curve.
  std::optional<std::pair<Point, Point>> reference;
};

Drawing draw(const LinePlot& plot);

/// The same curve on paper with fewer points: a point is dropped while it lies within `distance` of the last one kept.
/// First and last stay.
std::vector<Point> thinned(const std::vector<Point>& points, double distance);

}  // namespace bcr::report

#endif
