#include "src/train/run_log.hpp"

namespace bcr::train {
namespace {

using run::LogRecord;

std::int64_t integer(const std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

void add_loss(LogRecord& line, const losses::NamedNumbers& loss) {
  for (std::size_t i = 0; i < loss.values.size(); ++i) line.set("loss." + loss.names[i], loss.values[i]);
}

}  // namespace

void RunLog::write(const StepRecord& record) {
  LogRecord line("step");
  line.set("step", integer(record.step)).set("epoch", record.epoch).set("lr", record.rate).set("lambda", record.lambda);
  add_loss(line, record.loss);
  line.set("images_per_second", record.images_per_second).set("share_of_peak", record.share_of_peak);
  if (record.tokens_per_second) line.set("tokens_per_second", *record.tokens_per_second);
  for (std::size_t i = 0; i < record.seconds.size(); ++i)
    line.set("seconds." + std::string(region_names[i]), record.seconds[i]);
  if (record.anchors) {
    line.set("anchors.norm", double(record.anchors->mean_norm))
        .set("anchors.smallest_norm", double(record.anchors->smallest_norm))
        .set("anchors.largest_norm", double(record.anchors->largest_norm))
        .set("anchors.separation", double(record.anchors->smallest_separation));
  }
  append(line);
}

void RunLog::write(const EpochRecord& record) {
  LogRecord line("epoch");
  line.set("epoch", std::int64_t{record.epoch})
      .set("step", integer(record.step))
      .set("seconds", record.seconds)
      .set("images_per_second", record.images_per_second)
      .set("gflop_per_second", record.gigaflop_per_second)
      .set("share_of_peak", record.share_of_peak);
  if (record.tokens_per_second) line.set("tokens_per_second", *record.tokens_per_second);
  add_loss(line, record.loss);
  append(line);
}

void RunLog::write(const EvalRecord& record) {
  LogRecord line{std::string(record.kind)};
  line.set("epoch", std::int64_t{record.epoch}).set("step", integer(record.step));
  for (const metrics::MetricValue& value : record.values)
    if (value.value) line.set(std::string(value.metric->name), *value.value);
  append(line.set("score", std::string(record.score)));
}

void RunLog::write_resume(const std::uint64_t step, const std::string& from) {
  append(LogRecord("resume").set("step", integer(step)).set("from", from));
}

void RunLog::write_weights(const std::uint64_t step, const std::string& sha256) {
  append(LogRecord("weights").set("step", integer(step)).set("sha256", sha256));
}

void RunLog::write_end(const std::uint64_t step, const std::string_view reason) {
  append(LogRecord("end").set("step", integer(step)).set("reason", std::string(reason)));
}

}  // namespace bcr::train
