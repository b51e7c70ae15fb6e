#include "src/scale/study/study.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/error.hpp"
#include "src/scale/figures/study_page.hpp"
#include "src/scale/launch/point_command.hpp"
#include "src/scale/measure/measure_point.hpp"
#include "src/scale/study/study_json.hpp"

#include <fmt/format.h>

namespace bcr::scale {
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
