#ifndef BCR_SRC_REPORT_PLOT_LINE_PLOT_HPP
#define BCR_SRC_REPORT_PLOT_LINE_PLOT_HPP

#include "src/report/plot/axis.hpp"
#include "src/report/plot/drawing.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bcr::report {

/// How a curve is drawn; `marked` is a line with a dot at each point, `shade` fills what it encloses.
enum class Stroke { strong, faint, marked, dots, shade };

/// A range of y at one x, such as a confidence interval.
struct Whisker {
  double x = 0;
  double low = 0;
  double high = 0;
};

/// A curve through points in the order given; points that are not finite leave a gap.
struct Series {
  std::string name;  ///< for the legend; empty: not in it
  std::vector<Point> points;
  std::size_t colour = 0;
  Stroke stroke = Stroke::strong;
  std::vector<Whisker> whiskers{};
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
