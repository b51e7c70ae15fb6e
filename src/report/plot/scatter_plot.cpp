#include "src/report/plot/plots.hpp"

#include "src/report/plot/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bcr::report {
namespace {

constexpr double scatter_height = 400;

void draw_point(Drawing& drawing, const Point at, const Cloud& cloud, const std::size_t i) {
  const std::string name = i < cloud.names.size() ? cloud.names[i] : std::string();
  const std::string colour = series_class(cloud.colour);
  if (cloud.symbol == Symbol::dot) {
    drawing.circle(at, 2.4, "cloud " + colour, name);
  } else if (cloud.symbol == Symbol::ring) {
    drawing.circle(at, 2.4, "ring " + colour, name);
  } else {
    constexpr double r = 8;
    const std::array<Point, 4> corners{{{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}}};
    drawing.polygon(corners, "anchor " + colour, name);
  }
}

}  // namespace

Drawing draw(const ScatterPlot& plot) {
  Drawing drawing(plot_width, scatter_height, plot.title);
  std::vector<LegendEntry> legend;
  for (const Cloud& cloud : plot.clouds) {
    if (cloud.name.empty()) continue;
    legend.push_back(
        {cloud.name, (cloud.symbol == Symbol::ring ? "ring " : "dot ") + series_class(cloud.colour), Mark::dot});
  }
  const Frame frame(drawing, plot.x, plot.y, legend);
  const auto visible = [&](const Point& p) {
    return std::isfinite(p.x) && std::isfinite(p.y) && frame.inside(p.x, p.y);
  };
  for (const Cloud& cloud : plot.clouds) {
    for (std::size_t i = 0; i < cloud.points.size(); ++i) {
      if (visible(cloud.points[i])) draw_point(drawing, frame.at(cloud.points[i].x, cloud.points[i].y), cloud, i);
    }
  }
  for (const Cloud& cloud : plot.clouds) {  // names last, above all points
    if (cloud.symbol != Symbol::diamond) continue;
    for (std::size_t i = 0; i < cloud.names.size(); ++i) {
      if (!visible(cloud.points[i])) continue;
      const Point at = frame.at(cloud.points[i].x, cloud.points[i].y);
      drawing.text({at.x, at.y - 12}, cloud.names[i], "halo", Anchor::middle);
    }
  }
  return drawing;
}

namespace {

constexpr double row_height = 34;
constexpr double name_room = 17;  ///< the name of a row stands above its dots

Axis axis_of(const DotPlot& plot) {
  std::vector<double> values;
  for (const DotPlot::Series& series : plot.series) {
    for (const auto& dot : series.dots) {
      if (!dot) continue;
      values.push_back(dot->value - dot->spread);
      values.push_back(dot->value + dot->spread);
    }
  }
  return covering(plot.x_label, values);
}

void draw_dot(Drawing& drawing, const Frame& frame, const DotPlot& plot, const std::size_t series,
              const std::size_t row) {
  const auto& dot = plot.series[series].dots[row];
  if (!dot) return;
  const double y = static_cast<double>(plot.rows.size() - row) - 0.75;
  const std::string colour = series_class(series);
  if (dot->spread > 0) {
    drawing.line(frame.at(dot->value - dot->spread, y), frame.at(dot->value + dot->spread, y), "whisker " + colour);
  }
  std::string tip = fmt::format("{}: {} {}", plot.rows[row], plot.series[series].name, number_text(dot->value));
  if (dot->spread > 0) tip += " ± " + number_text(dot->spread, 2);
  drawing.circle(frame.at(dot->value, y), 5, "dot " + colour, tip);
}

}  // namespace

Drawing draw(const DotPlot& plot) {
  const auto rows = static_cast<double>(plot.rows.size());
  Drawing drawing(plot_width, 60 + (row_height + 4) * rows, plot.title);
  std::vector<LegendEntry> legend;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    legend.push_back({plot.series[i].name, "dot " + series_class(i), Mark::dot});
  }
  const Frame frame(drawing, axis_of(plot), Axis{"", 0, rows, Scale::linear}, legend, Ticks::x_alone);
  for (std::size_t row = 0; row < plot.rows.size(); ++row) {
    const double top = frame.at(frame.x_axis().low, rows - static_cast<double>(row)).y;
    drawing.text({frame.left() + 4, top + name_room - 4}, plot.rows[row], "halo");
    for (std::size_t series = 0; series < plot.series.size(); ++series) draw_dot(drawing, frame, plot, series, row);
  }
  return drawing;
}

}  // namespace bcr::report
