#include "src/report/plot/plots.hpp"

#include "src/report/plot/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::report {

namespace {

constexpr double finest = 0.7;       ///< pixels between points of a curve
constexpr double between_tips = 14;  ///< pixels between points that answer to the mouse

bool finite(const Point& point) {
  return std::isfinite(point.x) && std::isfinite(point.y);
}

std::string tip_of(const LinePlot& plot, const Series& series, const Point& point) {
  const std::string name = series.name.empty() ? plot.y.label : series.name;
  return fmt::format("{}: {} at {} {}", name, number_text(point.y), plot.x.label, number_text(point.x));
}

/// One stretch of a curve without gaps, in data and on paper.
void draw_stretch(Drawing& drawing, const Frame& frame, const LinePlot& plot, const Series& series,
                  const std::vector<Point>& data) {
  std::vector<Point> paper;
  for (const Point& point : data) paper.push_back(frame.at(point.x, point.y));
  const std::string colour = series_class(series.colour);
  if (series.stroke == Stroke::shade) {
    drawing.polygon(paper, "shade " + colour);
    return;
  }
  if (series.stroke != Stroke::dots) {
    drawing.polyline(thinned(paper, finest), (series.stroke == Stroke::faint ? "faint " : "line ") + colour);
  }
  if (series.stroke == Stroke::faint) return;
  const bool marked = series.stroke == Stroke::dots || series.stroke == Stroke::marked;
  const bool visible = marked || data.size() == 1;
  const Point* last = nullptr;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (!frame.inside(data[i].x, data[i].y)) continue;
    if (!marked && last != nullptr && std::hypot(paper[i].x - last->x, paper[i].y - last->y) < between_tips) continue;
    drawing.circle(paper[i], visible ? 3 : 5, (visible ? "dot " : "hit ") + colour, tip_of(plot, series, data[i]));
    last = &paper[i];
  }
}

void draw_whiskers(Drawing& drawing, const Frame& frame, const Series& series) {
  for (const Whisker& whisker : series.whiskers) {
    if (!frame.inside(whisker.x, frame.y_axis().low)) continue;
    drawing.line(frame.at(whisker.x, whisker.low), frame.at(whisker.x, whisker.high),
                 "whisker " + series_class(series.colour));
  }
}

void draw_series(Drawing& drawing, const Frame& frame, const LinePlot& plot, const Series& series) {
  draw_whiskers(drawing, frame, series);
  std::vector<Point> stretch;
  for (const Point& point : series.points) {
    if (finite(point)) {
      stretch.push_back(point);
    } else if (!stretch.empty()) {
      draw_stretch(drawing, frame, plot, series, stretch);
      stretch.clear();
    }
  }
  if (!stretch.empty()) draw_stretch(drawing, frame, plot, series, stretch);
}

}  // namespace

std::vector<Point> thinned(const std::vector<Point>& points, const double distance) {
  std::vector<Point> kept;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool end = i == 0 || i + 1 == points.size();
    if (end || std::hypot(points[i].x - kept.back().x, points[i].y - kept.back().y) >= distance) {
      kept.push_back(points[i]);
    }
  }
  return kept;
}

Drawing draw(const LinePlot& plot) {
  Drawing drawing(plot_width, plot_height, plot.title);
  std::vector<LegendEntry> legend;
  for (const Series& series : plot.series) {
    if (series.name.empty()) continue;
    const bool dots = series.stroke == Stroke::dots || series.stroke == Stroke::shade;
    legend.push_back({series.name, (dots ? "dot " : "") + series_class(series.colour), dots ? Mark::dot : Mark::line});
  }
  const Frame frame(drawing, plot.x, plot.y, legend);
  if (plot.reference) {
    const auto& [from, to] = *plot.reference;
    drawing.line(frame.at(from.x, from.y), frame.at(to.x, to.y), "guide");
  }
  for (const Guide& guide : plot.guides) {
    if (!frame.inside(guide.x, plot.y.low)) continue;
    const double x = frame.at(guide.x, plot.y.low).x;
    const bool late = x > (frame.left() + frame.right()) / 2;
    drawing.line({x, frame.top()}, {x, frame.bottom()}, "guide");
    drawing.text({late ? x - 5 : x + 5, frame.top() + 11}, guide.text, "tick", late ? Anchor::end : Anchor::start);
  }
  for (const Series& series : plot.series) draw_series(drawing, frame, plot, series);
  return drawing;
}

}  // namespace bcr::report
