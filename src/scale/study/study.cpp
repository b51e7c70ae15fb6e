#include "src/scale/study/study.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/core/manifest.hpp"
#include "src/scale/figures/study_page.hpp"
#include "src/scale/launch/launch.hpp"
#include "src/scale/measure/measure_point.hpp"
#include "src/scale/p3/portability_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bcr::scale {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

Json to_json(const MeasuredSeries& series) {
  Json points = Json::array();
  for (const SeriesPoint& entry : series.points) {
    points.push_back({{"value", entry.value},
                      {"point", point_key(entry.point->options, entry.point->resources)},
                      {"seconds", to_json(entry.seconds)},
                      {"seconds_per_image", to_json(entry.seconds_per_image)},
                      {"speed_up", to_json(entry.speed_up)},
                      {"efficiency", to_json(entry.efficiency)}});
  }
  return {{"sweep", sweep_name(series.kind)}, {"mode", mode_name(series.mode)}, {"points", points}};
}

Json to_json(const std::vector<PredictedPoint>& points) {
  Json list = Json::array();
  for (const auto& [ranks, seconds, efficiency] : points)
    list.push_back({{"ranks", ranks}, {"seconds", seconds}, {"efficiency", efficiency}});
  return list;
}

Json to_json(const StudyPrediction& prediction, const NetworkOptions& network) {
  return {{"mode", mode_name(prediction.mode)},
          {"assumed",
           {{"latency_us", network.latency_us},
            {"bandwidth_gbs", network.bandwidth_gbs},
            {"overlap", network.overlap},
            {"join", network.join == Join::tree ? "tree" : "exchange"}}},
          {"measured",
           {{"fixed_seconds", prediction.compute.fixed},
            {"seconds_per_image", prediction.compute.per_image},
            {"backward_share", prediction.compute.backward_share},
            {"batch_sizes", prediction.samples},
            {"gradient_bytes", prediction.gradient_bytes}}},
          {"strong", to_json(prediction.strong)},
          {"weak", to_json(prediction.weak)}};
}

}  // namespace

std::string study_json(const StudyResult& result, const std::span<const MeasuredSeries> series,
                       const std::span<const StudyPrediction> predictions,
                       const std::span<const ProblemPortability> portability) {
  Json root{{"format", "bcr scale study"},
            {"title", result.options.study.title},
            {"machine", result.machine},
            {"date", utc_now()},
            {"options", to_toml(result.options)}};
  root["sweeps"] = Json::array();
  for (const MeasuredSeries& one : series) root["sweeps"].push_back(to_json(one));
  root["prediction"] = {{"note", "predicted, not measured: see docs/guide/scaling.md"}, {"modes", Json::array()}};
  for (const StudyPrediction& one : predictions)
    root["prediction"]["modes"].push_back(to_json(one, result.options.predict));
  root["portability"] = portability_json(portability);
  root["failed"] = Json::array();
  for (const auto& [key, reason] : result.failed) root["failed"].push_back({{"point", key}, {"reason", reason}});
  root["points"] = Json::object();
  for (const auto& [key, stored] : result.points) root["points"][key] = Json::parse(stored.json);
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

StoredPoint measure(const PlannedPoint& planned, const StudyOptions& options, const std::string& program,
                    const PointStore& store, const std::function<bool()>& stop) {
  const Command command = point_command(program, planned.options, planned.resources, options.launch);
  const ProcessResult result = run_process(command, std::chrono::seconds(options.launch.time_limit_s), stop);
  if (result.exit_code != 0) throw IoError(command.text(), "exit code 0", std::to_string(result.exit_code));
  return store.keep(planned, result.output);
}

/// Tables of other machines, and our own rows.
std::vector<P3Row> rows_of_all_platforms(const StudyResult& result) {
  std::vector<P3Row> rows = p3_rows(result);
  for (const std::filesystem::path& file : result.options.study.platforms) {
    const std::vector<P3Row> more = read_p3(file);
    rows.insert(rows.end(), more.begin(), more.end());
  }
  return rows;
}

}  // namespace

std::string study_commands(const StudyOptions& options, const std::string& program) {
  std::string text;
  for (const PlannedPoint& planned : plan_study(options).points)
    text += point_command(program, planned.options, planned.resources, options.launch).text() + "\n";
  return text;
}

StudyResult run_study(const StudyOptions& options, const std::filesystem::path& out, const std::string& program,
                      const Kept kept, const Log& log, const std::function<bool()>& stop) {
  StudyResult result{
      options, plan_study(options), options.study.machine.empty() ? device_name() : options.study.machine, {}, {}};
  for (const std::filesystem::path& file : options.study.platforms) read_p3(file);  // noticed now, not after an hour
  const PointStore store(out / "points", log);
  const std::size_t count = result.plan.points.size();
  for (std::size_t i = 0; i < count && !stop(); ++i) {
    const PlannedPoint& planned = result.plan.points[i];
    if (auto found = kept == Kept::reused ? store.find(planned) : std::nullopt) {
      log.info("scale", "{}/{} {}: kept", i + 1, count, planned.key());
      result.points.emplace(planned.key(), std::move(*found));
      continue;
    }
    try {
      const auto [entry, added] = result.points.emplace(planned.key(), measure(planned, options, program, store, stop));
      const SampleSummary step = entry->second.point.step();
      log.info("scale", "{}/{} {}: {:.4g} ms [{:.4g}, {:.4g}]", i + 1, count, planned.key(), 1e3 * step.median,
               1e3 * step.low, 1e3 * step.high);
    } catch (const Error& error) {
      if (stop()) break;
      log.error("scale", "{}/{} {} failed: {}", i + 1, count, planned.key(), error.what());
      result.failed.push_back({planned.key(), error.what()});
    }
  }
  return result;
}

std::string write_study(const StudyResult& result, const std::filesystem::path& out) {
  const std::vector<MeasuredSeries> series = measured_series(result);
  const std::vector<StudyPrediction> predictions = predict_study(result);
  const std::vector<ProblemPortability> portability = portability_table(rows_of_all_platforms(result));
  write_file(out / "study.toml", to_toml(result.options));
  write_file(out / "study.csv", p3_text(p3_rows(result)));
  write_file(out / "study.json", study_json(result, series, predictions, portability));
  study_page(result, series, predictions, portability).write(out / "report.html", out / "plots");
  return series_text(series);
}

}  // namespace bcr::scale
