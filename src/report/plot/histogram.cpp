#include "src/report/plot/plots.hpp"

#include "src/report/plot/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace bcr::report {

namespace {

double edge(const Axis& axis, const std::size_t bin, const std::size_t bins) {
  return axis.low + (axis.high - axis.low) * static_cast<double>(bin) / static_cast<double>(bins);
}

/// The bars answer to the mouse one by one, over the whole height.
void draw_tips(Drawing& drawing, const Frame& frame, const HistogramPlot& plot,
               const std::vector<std::vector<double>>& shares) {
  for (std::size_t bin = 0; bin < plot.bins; ++bin) {
    const double low = edge(plot.x, bin, plot.bins);
    const double high = edge(plot.x, bin + 1, plot.bins);
    std::string tip = bin == 0               ? fmt::format("below {}", number_text(high))
                      : bin + 1 == plot.bins ? fmt::format("from {} up", number_text(low))
                                             : fmt::format("{} to {}", number_text(low), number_text(high));
    for (std::size_t i = 0; i < plot.parts.size(); ++i) {
      tip += fmt::format("\n{}: {:.1f} %", plot.parts[i].name, 100 * shares[i][bin]);
    }
    drawing.rectangle({frame.at(low, 0).x, frame.top()}, {frame.at(high, 0).x, frame.bottom()}, "hit", 1, tip);
  }
}

void draw_thresholds(Drawing& drawing, const Frame& frame, const HistogramPlot& plot) {
  std::vector<Guide> visible;
  std::copy_if(plot.thresholds.begin(), plot.thresholds.end(), std::back_inserter(visible),
               [&](const Guide& threshold) { return frame.inside(threshold.x, 0); });
  for (const Guide& threshold : visible) {
    const double x = frame.at(threshold.x, 0).x;
    drawing.line({x, frame.top()}, {x, frame.bottom()}, "threshold");
  }
  double y = frame.top() + 11;  // after the lines: a text may stand across the line of another threshold
  for (const Guide& threshold : visible) {
    const double x = frame.at(threshold.x, 0).x;
    const bool late = x > (frame.left() + frame.right()) / 2;
    drawing.text({late ? x - 5 : x + 5, y}, threshold.text, "halo", late ? Anchor::end : Anchor::start);
    y += 15;
  }
}

}  // namespace

Axis histogram_range(std::string label, const std::span<const std::vector<double>> lists, const double share) {
  std::vector<double> ends;
  for (const std::vector<double>& list : lists) {
    std::vector<double> values;
    std::copy_if(list.begin(), list.end(), std::back_inserter(values), [](const double v) { return std::isfinite(v); });
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    const auto cut = static_cast<std::size_t>(share * static_cast<double>(values.size()));
    ends.push_back(values[cut]);
    ends.push_back(values[values.size() - 1 - cut]);
  }
  return covering(std::move(label), ends);
}

std::vector<double> histogram_shares(const std::span<const double> values, const Axis& axis, const std::size_t bins) {
  std::vector<double> shares(bins, 0.0);
  std::size_t counted = 0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    const double place = std::clamp(position(axis, value), 0.0, 1.0) * static_cast<double>(bins);
    ++shares[std::min(static_cast<std::size_t>(place), bins - 1)];
    ++counted;
  }
  for (double& share : shares) share /= static_cast<double>(std::max<std::size_t>(counted, 1));
  return shares;
}

std::vector<Point> histogram_outline(const std::span<const double> shares, const Axis& axis, const double full) {
  std::vector<Point> outline{{axis.low, 0}};
  for (std::size_t bin = 0; bin < shares.size(); ++bin) {
    const double height = full > 0 ? shares[bin] / full : 0;
    outline.push_back({edge(axis, bin, shares.size()), height});
    outline.push_back({edge(axis, bin + 1, shares.size()), height});
  }
  outline.push_back({axis.high, 0});
  return outline;
}

Drawing draw(const HistogramPlot& plot) {
  Drawing drawing(plot_width, plot_height, plot.title);
  std::vector<LegendEntry> legend;
  std::vector<std::vector<double>> shares;
  double highest = 0;
  for (const auto& part : plot.parts) {
    legend.push_back({part.name, "dot " + series_class(part.colour), Mark::dot});
    shares.push_back(histogram_shares(part.values, plot.x, plot.bins));
    highest = std::max(highest, *std::max_element(shares.back().begin(), shares.back().end()));
  }
  const Frame frame(drawing, plot.x, Axis{"share of the images, %", 0, highest > 0 ? 105 * highest : 1}, legend);
  for (std::size_t i = 0; i < plot.parts.size(); ++i) {
    std::vector<Point> outline = histogram_outline(shares[i], plot.x, 0.01);
    for (Point& point : outline) point = frame.at(point.x, point.y);
    drawing.polygon(outline, "area " + series_class(plot.parts[i].colour));
  }
  draw_tips(drawing, frame, plot, shares);
  draw_thresholds(drawing, frame, plot);
  return drawing;
}

}  // namespace bcr::report
