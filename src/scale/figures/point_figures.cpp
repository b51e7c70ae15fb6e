#include "src/scale/figures/study_page.hpp"

#include "src/report/plot/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::scale {
namespace {

using report::Scale;

std::vector<const Point*> base_points(const StudyResult& result) {
  std::vector<const Point*> found;
  for (const nn::Mode mode : modes_of(result.options))
    if (const Point* const point = result.find(base_point(result.options, mode))) found.push_back(point);
  return found;
}

report::Figure region_figure(const std::vector<const Point*>& points) {
  report::DotPlot plot{.title = "Where a step spends its time", .x_label = "ms", .rows = {}, .series = {}};
  for (const RegionTimes& region : points.front()->regions) plot.rows.push_back(region.name);
  for (const Point* const point : points) {
    report::DotPlot::Series series{std::string(mode_name(point->options.mode)), {}};
    for (const RegionTimes& region : point->regions) {
      const SampleSummary summary = region.summary();
      const double half = std::min((summary.high - summary.low) / 2, summary.median);
      series.dots.push_back({{1e3 * summary.median, 1e3 * half}});
    }
    plot.series.push_back(std::move(series));
  }
  return {"regions",
          "Medians over the steps that were watched, with half of their 95 % intervals to each side. The step "
          "waits at the end of each part, so nothing overlaps.",
          report::draw(plot)};
}

/// Both slopes of the roof of a machine between two intensities.
report::Series roof_line(const Point& point, const double low, const double high) {
  const double peak = 2e-9 * point.fma_peak;
  const double bandwidth = 1e-9 * point.bandwidth;
  const double ridge = std::clamp(peak / bandwidth, low, high);
  report::Series roof{"roof: triad bandwidth and fma peak", {}, report::neutral_colour, report::Stroke::strong, {}};
  for (const double intensity : {low, ridge, high})
    roof.points.push_back({intensity, std::min(peak, bandwidth * intensity)});
  return roof;
}

report::Figure roofline_figure(const Point& point) {
  const std::string mode(mode_name(point.options.mode));
  report::LinePlot plot{.title = "Roofline, " + mode, .x = {}, .y = {}, .series = {}, .guides = {}, .reference = {}};
  std::vector<double> intensities, rates;
  for (std::size_t i = 0; i < point.regions.size(); ++i) {
    const RegionTimes& region = point.regions[i];
    const double seconds = region.summary().median;
    if (!(region.multiply_accumulates > 0) || !(region.bytes > 0) || !(seconds > 0)) continue;
    const double intensity = 2 * region.multiply_accumulates / region.bytes;
    const double rate = 2e-9 * region.multiply_accumulates / seconds;
    plot.series.push_back({region.name, {{intensity, rate}}, i, report::Stroke::dots, {}});
    intensities.push_back(intensity);
    rates.push_back(rate);
  }
  intensities.push_back(2 * point.fma_peak / point.bandwidth);
  rates.push_back(2e-9 * point.fma_peak);
  plot.x = report::covering("flop per byte, as the algorithm is written", intensities, Scale::logarithmic);
  plot.x.low /= 2;
  plot.x.high *= 2;
  plot.series.insert(plot.series.begin(), roof_line(point, plot.x.low, plot.x.high));
  for (const report::Point& corner : plot.series.front().points) rates.push_back(corner.y);
  plot.y = report::covering("GFLOP/s", rates, Scale::logarithmic);
  return {"roofline-" + mode,
          fmt::format("{}, {} x {} threads. Bytes are those of the algorithm as it is written; caches can lift a point "
                      "above the slope, Winograd above the roof.",
                      problem_name(point.options), point.resources.ranks, point.resources.threads),
          report::draw(plot)};
}

}  // namespace

report::Figures point_figures(const StudyResult& result) {
  const std::vector<const Point*> points = base_points(result);
  if (points.empty()) return {};
  report::Figures figures{region_figure(points)};
  for (const Point* const point : points) figures.push_back(roofline_figure(*point));
  return figures;
}

}  // namespace bcr::scale
