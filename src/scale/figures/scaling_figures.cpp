#include "src/scale/figures/study_page.hpp"

#include "src/report/plot/plots.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::scale {
namespace {

using report::Figures;
using report::LinePlot;
using report::Scale;

struct Quantity {
  Estimate SeriesPoint::*member;
  double factor = 1;
};

/// One curve with whiskers per mode; colours follow the mode, so that it looks the same in every figure.
report::Series curve(const MeasuredSeries& series, const std::string& name, const std::size_t colour,
                     const Quantity& quantity) {
  report::Series line{name, {}, colour, report::Stroke::marked, {}};
  for (const SeriesPoint& entry : series.points) {
    const Estimate& e = entry.*quantity.member;
    line.points.push_back({double(entry.value), e.value * quantity.factor});
    line.whiskers.push_back({double(entry.value), e.low * quantity.factor, e.high * quantity.factor});
  }
  return line;
}

std::vector<double> xs(const LinePlot& plot) {
  std::vector<double> values;
  for (const report::Series& series : plot.series)
    for (const report::Point& point : series.points) values.push_back(point.x);
  return values;
}

std::vector<double> ys(const LinePlot& plot) {
  std::vector<double> values;
  for (const report::Series& series : plot.series)
    for (const report::Whisker& whisker : series.whiskers) values.insert(values.end(), {whisker.low, whisker.high});
  return values;
}

void add_all(LinePlot& plot, const std::span<const MeasuredSeries> all, const SweepKind kind, const std::string& suffix,
             const std::size_t first_colour, const Quantity& quantity) {
  for (const MeasuredSeries& series : all) {
    if (series.kind != kind) continue;
    plot.series.push_back(curve(series, std::string(mode_name(series.mode)) + suffix,
                                first_colour + (series.mode == nn::Mode::fast ? 1 : 0), quantity));
  }
}

struct GrowthAxis {
  const char* word;
  SweepKind strong;
  SweepKind weak;
};

report::Figure speed_up_figure(const std::span<const MeasuredSeries> all, const GrowthAxis& growth) {
  LinePlot plot{.title = fmt::format("Speed-up over {}", growth.word),
                .x = {},
                .y = {},
                .series = {},
                .guides = {},
                .reference = {}};
  add_all(plot, all, growth.strong, ", strong", 0, {&SeriesPoint::speed_up});
  add_all(plot, all, growth.weak, ", weak", 2, {&SeriesPoint::speed_up});
  const std::vector<double> values = xs(plot);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  std::vector<double> heights = ys(plot);
  heights.insert(heights.end(), {1.0, *most / *least});
  plot.x = report::covering(growth.word, values, Scale::binary);
  plot.y = report::covering("speed-up", heights, Scale::binary);
  plot.reference = {{*least, 1}, {*most, *most / *least}};
  return {fmt::format("speed-up-{}", growth.word),
          "Images per second over those of the first point. Dotted: perfect. Strong: the batch stays; weak: it grows "
          "with the resources. Bars: 95 % intervals of the medians.",
          report::draw(plot)};
}

report::Figure efficiency_figure(const std::span<const MeasuredSeries> all, const GrowthAxis& growth) {
  LinePlot plot{.title = fmt::format("Efficiency over {}", growth.word),
                .x = {},
                .y = {},
                .series = {},
                .guides = {},
                .reference = {}};
  add_all(plot, all, growth.strong, ", strong", 0, {&SeriesPoint::efficiency});
  add_all(plot, all, growth.weak, ", weak", 2, {&SeriesPoint::efficiency});
  const std::vector<double> values = xs(plot);
  const std::vector<double> heights = ys(plot);
  plot.x = report::covering(growth.word, values, Scale::binary);
  plot.y = {"efficiency", 0, std::max(1.1, 1.02 * *std::max_element(heights.begin(), heights.end())), Scale::linear};
  plot.reference = {{plot.x.low, 1}, {plot.x.high, 1}};
  return {fmt::format("efficiency-{}", growth.word), "Speed-up over the growth of the resources; 1 is perfect.",
          report::draw(plot)};
}

report::Figure size_figure(const std::span<const MeasuredSeries> all, const SweepKind kind, const std::string& word,
                           const std::string& label) {
  LinePlot plot{.title = "Cost per image over " + word, .x = {}, .y = {}, .series = {}, .guides = {}, .reference = {}};
  add_all(plot, all, kind, "", 0, {&SeriesPoint::seconds_per_image, 1e3});
  const bool by_layers = kind == SweepKind::depth;
  plot.x = report::covering(label, xs(plot), by_layers ? Scale::linear : Scale::binary);
  plot.y = report::covering("ms per image", ys(plot), Scale::logarithmic);
  return {"cost-" + word, "Time of a training step divided by its images. Bars: 95 % intervals of the medians.",
          report::draw(plot)};
}

bool has(const std::span<const MeasuredSeries> all, const SweepKind kind) {
  return std::any_of(all.begin(), all.end(), [&](const MeasuredSeries& series) { return series.kind == kind; });
}

}  // namespace

Figures growth_figures(const std::span<const MeasuredSeries> series) {
  Figures figures;
  for (const GrowthAxis& growth : {GrowthAxis{"threads", SweepKind::strong_threads, SweepKind::weak_threads},
                                   GrowthAxis{"ranks", SweepKind::strong_ranks, SweepKind::weak_ranks}}) {
    if (!has(series, growth.strong) && !has(series, growth.weak)) continue;
    figures.push_back(speed_up_figure(series, growth));
    figures.push_back(efficiency_figure(series, growth));
  }
  return figures;
}

Figures size_figures(const std::span<const MeasuredSeries> series) {
  struct Size {
    SweepKind kind;
    const char* word;
    const char* label;
  };
  Figures figures;
  for (const Size& size :
       {Size{SweepKind::batch, "batch", "images of a batch"},
        Size{SweepKind::image, "image-size", "height and width of an image"}, Size{SweepKind::depth, "depth", "layers"},
        Size{SweepKind::width, "width", "factor on the channels"},
        Size{SweepKind::classes, "classes", "known classes"}}) {
    if (has(series, size.kind)) figures.push_back(size_figure(series, size.kind, size.word, size.label));
  }
  return figures;
}

}  // namespace bcr::scale
