#include "src/scale/study/study_result.hpp"

#include <fmt/format.h>

namespace bcr::scale {
namespace {

Estimate seconds_of(const Point& point) {
  const SampleSummary step = point.step();
  return {step.median, step.low, step.high};
}

Estimate scaled(const Estimate& estimate, const double factor) {
  return {estimate.value * factor, estimate.low * factor, estimate.high * factor};
}

Estimate ratio(const Estimate& top, const Estimate& bottom) {
  return {top.value / bottom.value, top.low / bottom.high, top.high / bottom.low};
}

MeasuredSeries measure(const Sweep& sweep, const StudyResult& result) {
  MeasuredSeries series{sweep.kind, sweep.mode, {}};
  for (const SweepStep& step : sweep.steps) {
    const Point* const point = result.find(step.point);
    if (point == nullptr) continue;
    SeriesPoint entry{step.value, point, seconds_of(*point), {}, {}, {}};
    entry.seconds_per_image = scaled(entry.seconds, 1.0 / point->options.batch);
    const bool first = series.points.empty();
    const SeriesPoint& start = first ? entry : series.points.front();
    entry.speed_up = first ? Estimate{1, 1, 1} : ratio(start.seconds_per_image, entry.seconds_per_image);
    entry.efficiency = scaled(entry.speed_up, double(start.value) / step.value);
    series.points.push_back(entry);
  }
  return series;
}

}  // namespace

std::string_view mode_name(const nn::Mode mode) {
  for (const auto& [name, value] : enum_names(mode))
    if (value == mode) return name;
  return "";
}

const Point* StudyResult::find(const PlannedPoint& planned) const {
  const auto found = points.find(planned.key());
  return found == points.end() ? nullptr : &found->second.point;
}

std::vector<MeasuredSeries> measured_series(const StudyResult& result) {
  std::vector<MeasuredSeries> all;
  for (const Sweep& sweep : result.plan.sweeps) {
    MeasuredSeries series = measure(sweep, result);
    if (!series.points.empty()) all.push_back(std::move(series));
  }
  return all;
}

std::vector<P3Row> p3_rows(const StudyResult& result) {
  std::vector<P3Row> rows;
  for (const PlannedPoint& planned : result.plan.points) {
    const Point* const point = result.find(planned);
    if (point == nullptr) continue;
    rows.push_back({point->date, point->step().median, application_name(point->options), problem_name(point->options),
                    platform_name(result.machine, point->resources)});
  }
  return rows;
}

std::string series_text(const std::vector<MeasuredSeries>& all) {
  std::string text;
  for (const MeasuredSeries& series : all) {
    const bool growth = series.kind <= SweepKind::weak_ranks;
    text += fmt::format("{} ({})\n{:>9} {:>11} {:>23} {:>11} {:>9} {:>10} {:>7}\n", sweep_name(series.kind),
                        mode_name(series.mode), "", "ms/step", "95 % interval", "images/s", "speed-up", "efficiency",
                        "peak");
    for (const SeriesPoint& entry : series.points) {
      text += fmt::format(
          "{:>9} {:>11.4g} {:>23} {:>11.5g} {:>9} {:>10} {:>6.1f}%\n", entry.value, 1e3 * entry.seconds.value,
          fmt::format("[{:.4g}, {:.4g}]", 1e3 * entry.seconds.low, 1e3 * entry.seconds.high),
          entry.point->images_per_second(), growth ? fmt::format("{:.2f}", entry.speed_up.value) : "",
          growth ? fmt::format("{:.2f}", entry.efficiency.value) : "", 100 * entry.point->share_of_peak());
    }
  }
  return text;
}

}  // namespace bcr::scale
