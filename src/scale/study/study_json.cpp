#include "src/scale/study/study_json.hpp"

#include "src/core/manifest.hpp"

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

Json to_json(const ProblemPortability& problem) {
  Json applications = Json::array();
  for (const ApplicationPortability& application : problem.applications) {
    Json steps = Json::array();
    for (const auto& [platform, efficiency, portability] : application.steps)
      steps.push_back({{"platform", platform}, {"efficiency", efficiency}, {"portability", portability}});
    applications.push_back(
        {{"application", application.application}, {"portability", application.portability}, {"cascade", steps}});
  }
  return {{"problem", problem.problem}, {"applications", applications}};
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
  root["prediction"] = {{"note", "predicted, not measured: see docs/scaling.md"}, {"modes", Json::array()}};
  for (const StudyPrediction& one : predictions)
    root["prediction"]["modes"].push_back(to_json(one, result.options.predict));
  root["portability"] = Json::array();
  for (const ProblemPortability& one : portability) root["portability"].push_back(to_json(one));
  root["failed"] = Json::array();
  for (const auto& [key, reason] : result.failed) root["failed"].push_back({{"point", key}, {"reason", reason}});
  root["points"] = Json::object();
  for (const auto& [key, stored] : result.points) root["points"][key] = Json::parse(stored.json);
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace bcr::scale
