#include "src/report/plot/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bcr::report {
namespace {

constexpr const char* minus_sign = "\u2212";

std::string with_real_minus(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, minus_sign);
  return text;
}

/// The smallest of 1, 2, 5 times a power of ten that is not below `step`.
double round_step(const double step) {
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string tick_label(const double value, const double step) {
  const double size = std::max(std::abs(value), step);
  if (size >= 1e5 || step < 1e-4) return number_text(value, 3);
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  const std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const bool negative = value < 0 && text.find_first_of("123456789") != std::string::npos;
  return negative ? minus_sign + text : text;
}

std::vector<Tick> linear_ticks(const Axis& axis, const int about) {
  std::vector<Tick> marks;
  const double length = axis.high - axis.low;
  if (!(length > 0) || !std::isfinite(length)) return marks;
  const double step = round_step(length / std::max(about, 1));
  const double slack = 1e-9 * length;
  for (double k = std::ceil((axis.low - slack) / step); k * step <= axis.high + slack; ++k) {
    marks.push_back({k * step, tick_label(k * step, step)});
  }
  return marks;
}

std::vector<Tick> decade_ticks(const Axis& axis, const int about) {
  constexpr double slack = 1e-9;
  const int first = static_cast<int>(std::ceil(std::log10(axis.low) - slack));
  const int last = static_cast<int>(std::floor(std::log10(axis.high) + slack));
  if (last - first < 1) return linear_ticks(axis, about);
  std::vector<Tick> marks;
  const int stride = std::max(1, (last - first + about) / std::max(about, 1));
  for (int power = first; power <= last; power += stride) {
    const double value = std::pow(10.0, power);
    marks.push_back(
        {value, power >= -3 && power <= 4 ? fmt::format("{:g}", value) : with_real_minus(fmt::format("1e{}", power))});
  }
  return marks;
}

std::vector<Tick> binary_ticks(const Axis& axis, const int about) {
  constexpr double slack = 1e-9;
  const int first = static_cast<int>(std::ceil(std::log2(axis.low) - slack));
  const int last = static_cast<int>(std::floor(std::log2(axis.high) + slack));
  const int stride = std::max(1, (last - first + about) / std::max(about, 1));
  std::vector<Tick> marks;
  for (int power = first; power <= last; power += stride) {
    marks.push_back({std::ldexp(1.0, power), number_text(std::ldexp(1.0, power))});
  }
  return marks;
}

}  // namespace

double position(const Axis& axis, const double value) {
  if (axis.scale == Scale::linear) return (value - axis.low) / (axis.high - axis.low);
  if (!(value > 0)) return -std::numeric_limits<double>::infinity();
  return (std::log(value) - std::log(axis.low)) / (std::log(axis.high) - std::log(axis.low));
}

std::vector<Tick> ticks(const Axis& axis, const int about) {
  if (axis.scale == Scale::binary) return binary_ticks(axis, about);
  return axis.scale == Scale::linear ? linear_ticks(axis, about) : decade_ticks(axis, about);
}

Axis covering(std::string label, const std::span<const double> values, const Scale scale, const Margin margin) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (!std::isfinite(value) || (scale != Scale::linear && !(value > 0))) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  Axis axis{std::move(label), low, high, scale};
  if (low > high) {
    axis.low = scale == Scale::linear ? 0 : 0.1;
    axis.high = 1;
  } else if (scale != Scale::linear) {
    const double factor = high > low ? std::pow(high / low, margin == Margin::none ? 0 : 0.04) : 2;
    axis.low = low / factor;
    axis.high = high * factor;
  } else {
    const double share = margin == Margin::none ? 0 : 0.04;
    const double extra = high > low ? share * (high - low) : std::max(std::abs(high) * 0.1, 1e-3);
    axis.low = low - extra;
    axis.high = high + extra;
  }
  return axis;
}

std::string number_text(const double value, const int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "∞" : std::string(minus_sign) + "∞";
  return with_real_minus(fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits));
}

namespace {

constexpr double row_height = 17;

/// What lies beyond an axis, such as 0 on a logarithmic one, is drawn on the edge of the frame.
double clamped(const double share) {
  return std::clamp(share, 0.0, 1.0);
}

}  // namespace

double text_width(const std::string_view text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](const char c) { return (c & 0xC0) != 0x80; });
  return 6.4 * static_cast<double>(letters);
}

Frame::Frame(Drawing& drawing, Axis x, Axis y, const std::vector<LegendEntry>& legend, const Ticks which)
    : x_(std::move(x)), y_(std::move(y)) {
  const std::vector<Tick> marks = which == Ticks::both ? ticks(y_, 5) : std::vector<Tick>();
  double widest = 0;
  for (const Tick& tick : marks) widest = std::max(widest, text_width(tick.label));
  left_ = widest + (y_.label.empty() ? 12 : 30);
  right_ = drawing.width() - 14;
  top_ = draw_legend(drawing, legend);
  bottom_ = drawing.height() - (x_.label.empty() ? 24 : 40);
  draw_y(drawing, marks);
  draw_x(drawing);
}

double Frame::draw_legend(Drawing& drawing, const std::vector<LegendEntry>& legend) const {
  double x = left_;
  double y = 14;
  for (const LegendEntry& entry : legend) {
    const double width = 24 + text_width(entry.text) + 14;
    if (x > left_ && x + width > drawing.width()) {
      x = left_;
      y += row_height;
    }
    if (entry.mark == Mark::line) {
      drawing.line({x, y - 4}, {x + 18, y - 4}, "line " + entry.classes);
    } else {
      drawing.circle({x + 9, y - 4}, 4, entry.classes);
    }
    drawing.text({x + 24, y}, entry.text, "note");
    x += width;
  }
  return legend.empty() ? 10 : y + 10;
}

void Frame::draw_x(Drawing& drawing) const {
  for (const Tick& tick : ticks(x_, 6)) {
    const Point at = this->at(tick.value, y_.low);
    drawing.line({at.x, top_}, {at.x, bottom_}, "grid");
    drawing.text({at.x, bottom_ + 15}, tick.label, "tick", Anchor::middle);
  }
  drawing.line({left_, bottom_}, {right_, bottom_}, "axis");
  if (!x_.label.empty()) drawing.text({(left_ + right_) / 2, bottom_ + 33}, x_.label, "label", Anchor::middle);
}

void Frame::draw_y(Drawing& drawing, const std::vector<Tick>& marks) const {
  for (const Tick& tick : marks) {
    const Point at = this->at(x_.low, tick.value);
    drawing.line({left_, at.y}, {right_, at.y}, "grid");
    drawing.text({left_ - 6, at.y + 4}, tick.label, "tick", Anchor::end);
  }
  if (!y_.label.empty()) drawing.upright_text({13, (top_ + bottom_) / 2}, y_.label, "label");
}

Point Frame::at(const double x, const double y) const {
  return {left_ + clamped(position(x_, x)) * (right_ - left_), bottom_ - clamped(position(y_, y)) * (bottom_ - top_)};
}

bool Frame::inside(const double x, const double y) const {
  const double h = position(x_, x);
  const double v = position(y_, y);
  return h >= -1e-9 && h <= 1 + 1e-9 && v >= -1e-9 && v <= 1 + 1e-9;
}

}  // namespace bcr::report
