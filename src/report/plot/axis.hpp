#ifndef BCR_SRC_REPORT_PLOT_AXIS_HPP
#define BCR_SRC_REPORT_PLOT_AXIS_HPP

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

/// An axis that shows all finite values, with a small margin or none. For no values 0 to 1; for equal ones a bit around.
/// Logarithmic axes cover the positive values alone.
Axis covering(std::string label, std::span<const double> values, Scale scale = Scale::linear,
              Margin margin = Margin::small);

/// A number for readers: at most `digits` significant digits, no trailing zeros, a real minus sign.
std::string number_text(double value, int digits = 4);

}  // namespace bcr::report

#endif
