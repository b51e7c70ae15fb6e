#ifndef BCR_SRC_REPORT_PLOT_FRAME_HPP
#define BCR_SRC_REPORT_PLOT_FRAME_HPP

#include "src/report/plot/drawing.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bcr::report {

/// binary: logarithmic, with ticks at powers of two.
enum class Scale { linear, logarithmic, binary };

/// One axis of a plot. Of a logarithmic or binary axis, low > 0.
struct Axis {
  std::string label;
  double low = 0;
  double high = 1;
  Scale scale = Scale::linear;
};

/// Where a value stands on its axis: 0 at low, 1 at high, not clamped. Values that a logarithmic axis cannot show are
/// at minus infinity.
double position(const Axis& axis, double value);

struct Tick {
  double value = 0;
  std::string label;
};

/// Round values within the axis: multiples of 1, 2 or 5 times a power of ten, `about` of them; on a logarithmic axis
/// powers of ten, or linear ticks where it spans less than one; on a binary axis powers of two.
std::vector<Tick> ticks(const Axis& axis, int about);

enum class Margin { none, small };

/// An axis that shows all finite values, with a small margin or none. For no values 0 to 1; for equal ones a bit
/// around. Logarithmic axes cover the positive values alone.
Axis covering(std::string label, std::span<const double> values, Scale scale = Scale::linear,
              Margin margin = Margin::small);

/// A number for readers: at most `digits` significant digits, no trailing zeros, a real minus sign.
std::string number_text(double value, int digits = 4);

enum class Mark { line, dot };
enum class Ticks { both, x_alone };

struct LegendEntry {
  std::string text;
  std::string classes;
  Mark mark = Mark::line;
};

/// Size of a plot in pixels. Narrow enough that its letters stay readable when a phone shows it at full width.
inline constexpr double plot_width = 460;
inline constexpr double plot_height = 300;

/// The part of a drawing that every plot with two axes shares: legend on top, grid, ticks, labels; and the way from
/// values to pixels.
class Frame {
 public:
  Frame(Drawing& drawing, Axis x, Axis y, const std::vector<LegendEntry>& legend, Ticks which = Ticks::both);

  /// Where a point of the data stands; clamped to a little outside the frame, so that it is finite.
  Point at(double x, double y) const;
  bool inside(double x, double y) const;

  double left() const { return left_; }
  double right() const { return right_; }
  double top() const { return top_; }
  double bottom() const { return bottom_; }
  const Axis& x_axis() const { return x_; }
  const Axis& y_axis() const { return y_; }

 private:
  double draw_legend(Drawing& drawing, const std::vector<LegendEntry>& legend) const;
  void draw_x(Drawing& drawing) const;
  void draw_y(Drawing& drawing, const std::vector<Tick>& marks) const;

  Axis x_;
  Axis y_;
  double left_ = 0;
  double right_ = 0;
  double top_ = 0;
  double bottom_ = 0;
};

/// A guess of how wide text will be, in pixels, by its number of letters.
double text_width(std::string_view text);

}  // namespace bcr::report

#endif
