#include "src/report/plot/scatter_plot.hpp"

#include "src/report/plot/frame.hpp"

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
    legend.push_back({cloud.name, (cloud.symbol == Symbol::ring ? "ring " : "dot ") + series_class(cloud.colour),
                      Mark::dot});
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

}  // namespace bcr::report
