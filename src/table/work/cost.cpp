#include "src/table/work/cost.hpp"

#include "models/backbones/registry.hpp"
#include "src/core/error.hpp"
#include "src/core/process.hpp"
#include "src/scale/point/point.hpp"
#include "src/scale/study/study_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace bcr::table {
namespace {

/// A forward pass is about a third of a training step.
constexpr double forward_share = 1.0 / 3;
/// Start of the programs, reading of data, fitting of thresholds.
constexpr double fixed_evaluation_seconds = 3;
/// Steps dearer than this are timed on few images: an estimate is to take seconds.
constexpr double dear_step_seconds = 0.4;

int images_of_step(const Training& training) {
  const train::RunOptions& options = training.options;
  return options.data.known.batch + (train::draws_background(options) ? options.data.background.batch : 0);
}

/// Trainings of one key cost the same.
std::string cost_key(const Training& training, const Setting& setting) {
  const models::BackboneOptions& backbone = training.options.model.backbone;
  return fmt::format("{} {} {} {}", models::backbones().find(backbone.name).variant(backbone), setting.image,
                     images_of_step(training), scale::mode_name(training.options.mode));
}

}  // namespace

std::string source_text(const Cost::Source source) {
  switch (source) {
    case Cost::Source::done:
      return "done";
    case Cost::Source::log:
      return "from the log of a run that is there";
    case Cost::Source::measured:
      return "timed on this machine";
    case Cost::Source::elsewhere:
      return "timed on another machine";
    case Cost::Source::unknown:
      break;
  }
  return "not known before its first epoch";
}

std::int64_t steps_per_epoch(const Training& training, const Setting& setting) {
  const double share = 1 - training.options.data.validation;
  const auto images = static_cast<double>(setting.images) * share;
  return static_cast<std::int64_t>(std::ceil(images / training.options.data.known.batch));
}

void StepTimes::learn(const Training& training, const Setting& setting, const double step_seconds) {
  known_[cost_key(training, setting)] = {step_seconds, Cost::Source::log};
}

Cost StepTimes::cost_of(const Training& training, const Setting& setting, const TrainingState& state) {
  const std::string key = cost_key(training, setting);
  auto found = known_.find(key);
  if (found == known_.end()) {
    Known known;
    if (const auto seconds = measure_(training, setting)) {
      known = {*seconds, Cost::Source::measured};
    } else if (setting.step_seconds) {
      known = {*setting.step_seconds, Cost::Source::elsewhere};
    }
    found = known_.emplace(key, known).first;
  }
  Cost cost{found->second.source, 0, 0};
  const double step = found->second.seconds;
  const auto steps = static_cast<double>(steps_per_epoch(training, setting));
  const bool is_done = state.stage == TrainingState::Stage::done;
  const double epochs = is_done ? 0 : std::max(0.0, training.options.train.epochs - state.epochs);
  cost.training_seconds = epochs * steps * step;
  // Test images, and the training images that thresholds are found on.
  const auto scored = static_cast<double>(setting.tests + setting.images);
  cost.evaluation_seconds = fixed_evaluation_seconds + forward_share * scored * step / images_of_step(training);
  return cost;
}

StepTimes::Measure measure_by_scale(const std::string& bcr_scale, const int threads, const Log& log,
                                    const std::function<bool()>& stop) {
  const auto time_step = [=](const Training& training, const Setting& setting, const int images) {
    const models::BackboneOptions& backbone = training.options.model.backbone;
    const Command command{{bcr_scale, "run", "--log", "warning", "--mode",
                           std::string(scale::mode_name(training.options.mode)), "--backbone", backbone.name, "--depth",
                           std::to_string(backbone.depth), "--width", std::to_string(backbone.width), "--image",
                           std::to_string(setting.image), "--classes", std::to_string(setting.classes), "--batch",
                           std::to_string(images), "--warmup", "1", "--repetitions", "10",
                           fmt::format("--kokkos-num-threads={}", threads)},
                          {}};
    const ProcessResult result = run_process(command, std::chrono::minutes(10), stop);
    if (result.exit_code != 0) throw IoError(command.text(), "exit code 0", std::to_string(result.exit_code));
    // Other programs only make steps slower: the quicker quarter says what this machine can do.
    std::vector<double> seconds = scale::parse_point(result.output, "bcr-scale run").step_seconds;
    const auto quarter = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 4);
    std::nth_element(seconds.begin(), quarter, seconds.end());
    return *quarter;
  };
  return [=](const Training& training, const Setting& setting) -> std::optional<double> {
    const models::BackboneOptions& backbone = training.options.model.backbone;
    if (models::backbones().find(backbone.name).input != models::BackboneInput::images) return std::nullopt;
    constexpr int few = 8;
    const int images = images_of_step(training) + images_of_step(training) % 2;
    try {
      log.info("table", "timing training steps of {}", models::backbones().find(backbone.name).title(backbone));
      const double of_few = time_step(training, setting, few);
      const double estimate = of_few * images / few;
      return estimate > dear_step_seconds ? estimate : time_step(training, setting, images);
    } catch (const Error& error) {
      if (!stop()) log.warning("table", "a step could not be timed: {}", error.what());
      return std::nullopt;
    }
  };
}

std::string duration_text(const double seconds) {
  const double minutes = seconds / 60;
  if (minutes < 1) return fmt::format("{:.0f} s", seconds);
  if (minutes < 60) return fmt::format("{:.0f} min", minutes);
  const double hours = minutes / 60;
  if (hours < 24) {
    const auto whole = static_cast<int>(std::lround(minutes));
    return fmt::format("{} h {:02} min", whole / 60, whole % 60);
  }
  return fmt::format("{:.1f} days", hours / 24);
}

}  // namespace bcr::table
