#include "src/report/plot/frame.hpp"

#include <algorithm>
#include <utility>

namespace bcr::report {

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
