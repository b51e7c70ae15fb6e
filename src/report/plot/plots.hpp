#ifndef BCR_SRC_REPORT_PLOT_PLOTS_HPP
#define BCR_SRC_REPORT_PLOT_PLOTS_HPP

#include "src/report/plot/drawing.hpp"
#include "src/report/plot/frame.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

/// A table of counts as coloured cells; each row is coloured by its shares. Row i is what was true, column j what was
/// said. Beyond `most_labels` classes there are no names and no numbers, only colour and tips.
struct HeatMap {
  static constexpr std::size_t most_labels = 13;

  std::string title;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint64_t>> counts;  ///< square, one row per name
};

Drawing draw(const HeatMap& map);

}  // namespace bcr::report

#endif
