#include "src/scale/study/study_result.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/core/text_file.hpp"
#include "src/scale/measure/measure_point.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace bcr::scale {
namespace {

bool is_as_planned(const Point& point, const PlannedPoint& planned) {
  return point.options == planned.options && point.resources == planned.resources;
}

}  // namespace

PointStore::PointStore(std::filesystem::path folder, Log log) : folder_(std::move(folder)), log_(std::move(log)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw IoError("make " + folder_.string(), "a directory", error.message());
}

std::optional<StoredPoint> PointStore::find(const PlannedPoint& planned) const {
  const std::filesystem::path file = path(planned);
  if (!std::filesystem::exists(file)) return std::nullopt;
  try {
    const std::string json = read_text(file);
    Point point = parse_point(json, file.string());
    if (is_as_planned(point, planned) && point.version == program_version() && point.machine == device_name())
      return StoredPoint{std::move(point), json};
    log_.info("scale", "{} was measured otherwise, by another version or elsewhere: again", file.string());
  } catch (const Error& error) {
    log_.warning("scale", "{}: measured again", error.what());
  }
  return std::nullopt;
}

StoredPoint PointStore::keep(const PlannedPoint& planned, const std::string& json) const {
  Point point = parse_point(json, "the output of bcr-scale run");
  if (!is_as_planned(point, planned))
    throw IoError("bcr-scale run", planned.key(), point_key(point.options, point.resources));
  write_file(path(planned), json);
  return {std::move(point), json};
}

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
    const std::string application = application_name(point->options);
    rows.push_back({point->date,
                    point->step().median,
                    application,
                    problem_name(point->options),
                    platform_name(result.machine, point->resources),
                    {.program = "bcr " + point->version,
                     .space = point->space,
                     .kind = point->kind,
                     .library = point->library,
                     .multiply_accumulates = point->multiply_accumulates(),
                     .bytes = point->bytes(),
                     .fma_per_second = point->fma_peak,
                     .bytes_per_second = point->bandwidth,
                     .device_bytes = point->device_bytes,
                     .coverage_key = application + " " + point->space}});
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

namespace {

bool differs_in_batch_alone(const Point& point, const PlannedPoint& base) {
  PlannedPoint other{point.options, point.resources};
  other.options.batch = base.options.batch;
  return other == base;
}

double backward_share(const Point& point) {
  const RegionTimes* const backward = point.region("backward");
  return backward == nullptr ? 0 : backward->summary().median / point.step().median;
}

}  // namespace

std::vector<StudyPrediction> predict_study(const StudyResult& result) {
  std::vector<StudyPrediction> predictions;
  for (const nn::Mode mode : modes_of(result.options)) {
    const PlannedPoint base = base_point(result.options, mode);
    const Point* const measured = result.find(base);
    if (measured == nullptr) continue;
    std::vector<ComputeSample> samples;
    for (const auto& [key, stored] : result.points) {
      const Point& point = stored.point;
      if (differs_in_batch_alone(point, base)) samples.push_back({double(point.options.batch), point.step().median});
    }
    StudyPrediction prediction{
        mode, fit_compute(samples, backward_share(*measured)), samples.size(), measured->parameters * sizeof(float), {},
        {}};
    const int batch = base.options.batch;
    const NetworkOptions& network = result.options.predict;
    prediction.strong = predict(prediction.compute, network, prediction.gradient_bytes, batch, Growth::strong);
    prediction.weak = predict(prediction.compute, network, prediction.gradient_bytes, batch, Growth::weak);
    predictions.push_back(std::move(prediction));
  }
  return predictions;
}

}  // namespace bcr::scale
