#include "src/train/run_log.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace bcr::train {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity: they are null.
Json number_or_null(const double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json loss_json(const losses::LossParts& loss) {
  Json object = Json::object();
  for (std::size_t i = 0; i < loss.values.size(); ++i)
    object[std::string(losses::loss_part_names[i])] = number_or_null(loss.values[i]);
  return object;
}

}  // namespace

void RunLog::write(const StepRecord& record) {
  Json line{{"kind", "step"},          {"step", record.step},     {"epoch", record.epoch},
            {"lr", record.rate},       {"lambda", record.lambda}, {"loss", loss_json(record.loss)},
            {"images_per_second", number_or_null(record.images_per_second)},
            {"share_of_peak", number_or_null(record.share_of_peak)}};
  for (std::size_t i = 0; i < record.seconds.size(); ++i)
    line["seconds"][std::string(region_names[i])] = record.seconds[i];
  if (record.anchors) {
    line["anchors"] = {{"norm", number_or_null(record.anchors->mean_norm)},
                       {"smallest_norm", number_or_null(record.anchors->smallest_norm)},
                       {"largest_norm", number_or_null(record.anchors->largest_norm)},
                       {"separation", number_or_null(record.anchors->smallest_separation)}};
  }
  append(line.dump());
}

void RunLog::write(const EpochRecord& record) {
  append(Json{{"kind", "epoch"},
              {"epoch", record.epoch},
              {"step", record.step},
              {"seconds", record.seconds},
              {"images_per_second", number_or_null(record.images_per_second)},
              {"gflop_per_second", number_or_null(record.gigaflop_per_second)},
              {"share_of_peak", number_or_null(record.share_of_peak)},
              {"loss", loss_json(record.loss)}}
             .dump());
}

void RunLog::write(const EvalRecord& record) {
  Json line{{"kind", record.kind}, {"epoch", record.epoch}, {"step", record.step}};
  for (const metrics::MetricValue& value : record.values)
    if (value.value) line[std::string(value.metric->name)] = number_or_null(*value.value);
  line["score"] = record.score;
  append(line.dump());
}

void RunLog::write_resume(const std::uint64_t step, const std::string& from) {
  append(Json{{"kind", "resume"}, {"step", step}, {"from", from}}.dump());
}

void RunLog::write_end(const std::uint64_t step, const std::string_view reason) {
  append(Json{{"kind", "end"}, {"step", step}, {"reason", reason}}.dump());
}

}  // namespace bcr::train
