#include "src/report/plot/frame.hpp"
#include "src/report/plot/page.hpp"
#include "src/scale/figures/number_table.hpp"
#include "src/scale/figures/study_page.hpp"

#include <fmt/format.h>

namespace bcr::scale {
namespace {

using report::escape;
using report::number_text;

std::string interval_text(const SampleSummary& summary) {
  return fmt::format("{} [{}, {}]", number_text(1e3 * summary.median), number_text(1e3 * summary.low),
                     number_text(1e3 * summary.high));
}

std::string name_of(const Point& point) {
  return fmt::format("{}, {}", application_name(point.options), problem_name(point.options));
}

std::string resources_text(const Resources& resources) {
  return fmt::format("{} × {}", resources.ranks, resources.threads);
}

}  // namespace

std::string points_html(const StudyResult& result) {
  NumberTable table({"point", "ranks × threads", "ms a step [95 %]", "images/s", "of fma peak", "of bandwidth",
                     "model MiB", "process MiB"});
  for (const PlannedPoint& planned : result.plan.points) {
    const Point* const point = result.find(planned);
    if (point == nullptr) continue;
    table.row(name_of(*point),
              {resources_text(point->resources), interval_text(point->step()), number_text(point->images_per_second()),
               percent_text(point->share_of_peak()), percent_text(point->share_of_bandwidth()),
               number_text(point->model_bytes / (1 << 20)), number_text(point->resident_bytes / (1 << 20))});
  }
  return table.html();
}

std::string regions_html(const StudyResult& result) {
  std::vector<std::string> heads{"ms of each part", "ranks × threads"};
  for (const auto& [key, stored] : result.points) {
    for (const RegionTimes& region : stored.point.regions) heads.push_back(region.name);
    break;
  }
  NumberTable table(heads);
  for (const PlannedPoint& planned : result.plan.points) {
    const Point* const point = result.find(planned);
    if (point == nullptr) continue;
    std::vector<std::string> cells{resources_text(point->resources)};
    for (const RegionTimes& region : point->regions) cells.push_back(interval_text(region.summary()));
    table.row(name_of(*point), cells);
  }
  return table.html();
}

std::string prediction_html(const std::span<const StudyPrediction> predictions) {
  if (predictions.empty()) return {};
  NumberTable table(
      {"PREDICTED, not measured", "ranks", "strong: ms a step", "efficiency", "weak: ms a step", "efficiency"});
  for (const StudyPrediction& prediction : predictions) {
    for (std::size_t i = 0; i < prediction.weak.size(); ++i) {
      const PredictedPoint& weak = prediction.weak[i];
      const bool has_strong = i < prediction.strong.size();
      table.row(std::string(mode_name(prediction.mode)),
                {std::to_string(weak.ranks), has_strong ? number_text(1e3 * prediction.strong[i].seconds) : "–",
                 has_strong ? percent_text(prediction.strong[i].efficiency) : "–", number_text(1e3 * weak.seconds),
                 percent_text(weak.efficiency)});
    }
  }
  return table.html();
}

std::string portability_html(const std::span<const ProblemPortability> problems) {
  if (problems.empty() || problems.front().machines.size() < 2) return {};
  std::vector<std::string> heads{"application, problem", "PP"};
  for (const std::string& machine : problems.front().machines) heads.push_back(machine);
  NumberTable table(heads);
  for (const ProblemPortability& problem : problems) {
    for (const ApplicationPortability& application : problem.applications) {
      std::vector<std::string> cells{fmt::format("{:.3f}", application.portability)};
      for (const std::string& machine : problem.machines) {
        for (const CascadeStep& step : application.steps)
          if (step.platform == machine) cells.push_back(step.efficiency > 0 ? percent_text(step.efficiency) : "–");
      }
      table.row(application.application + ", " + problem.problem, cells);
    }
  }
  return table.html();
}

std::string failures_html(const std::span<const FailedPoint> failed) {
  if (failed.empty()) return {};
  std::string html = "<h3>Points that failed</h3>\n<ul>\n";
  for (const auto& [key, reason] : failed)
    html += fmt::format("<li class=\"bad\"><code>{}</code>: {}</li>\n", escape(key), escape(reason));
  return html + "</ul>\n";
}

}  // namespace bcr::scale
