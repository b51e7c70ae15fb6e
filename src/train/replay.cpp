#include "src/train/replay.hpp"

#include "src/train/checkpoint_policy.hpp"
#include "src/train/model_state.hpp"
#include "src/train/training_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bcr::train {
namespace {

using run::Claim;
using run::Interval;
using run::ReplayedInterval;

/// Where a stretch of steps begins, and the last step that has to be reached from there.
using Stretches = std::map<std::uint64_t, std::uint64_t>;

std::uint64_t start_before(const run::RunClaims& claims, const std::uint64_t step) {
  const auto after = claims.starts.upper_bound(step);
  return after == claims.starts.begin() ? 0 : std::prev(after)->first;
}

class Replay {
 public:
  Replay(Experiment& experiment, const run::RunDirectory& directory, const run::RunClaims& claims)
      : experiment_(experiment), claims_(claims), state_(experiment, directory), initial_(here()) {}

  std::vector<ReplayedInterval> run(const std::vector<Interval>& drawn) {
    Stretches stretches;
    for (const Interval& interval : drawn) {
      std::uint64_t& last = stretches[start_before(claims_, interval.from)];
      last = std::max(last, interval.to);
    }
    std::vector<ReplayedInterval> replayed;
    for (const auto& [start, last] : stretches) {
      tell_of_cost(start, last, drawn);
      for (ReplayedInterval& interval : run_stretch(start, last)) {
        interval.drawn = std::find(drawn.begin(), drawn.end(), interval.steps) != drawn.end();
        replayed.push_back(std::move(interval));
      }
    }
    return replayed;
  }

 private:
  io::Checkpoint here() const {
    io::Checkpoint checkpoint = begin_checkpoint(experiment_.options, experiment_.data);
    checkpoint.model = experiment_.model.description();
    checkpoint.optimizer = experiment_.optimizer->name();
    checkpoint.optimizer_steps = experiment_.optimizer->steps_done();
    checkpoint.step = state_.step;
    checkpoint.tensors = tensors();
    return checkpoint;
  }

  std::vector<io::NamedTensor> tensors() const {
    std::vector<io::NamedTensor> all = save_model(experiment_.context.exec, experiment_.model);
    save_optimizer(experiment_.context.exec, *experiment_.optimizer, all);
    return all;
  }

  void tell_of_cost(const std::uint64_t start, const std::uint64_t last, const std::vector<Interval>& drawn) const {
    std::uint64_t wanted = 0;
    for (const Interval& interval : drawn)
      if (interval.from >= start && interval.to <= last) wanted += interval.to - interval.from;
    experiment_.context.log.info("verify", "steps {} to {} are replayed", start + 1, last);
    if (wanted < last - start)
      experiment_.context.log.info("verify",
                                   "{} of them only to reach the others: a run that keeps more checkpoints "
                                   "(train.checkpoint_every) costs less to replay",
                                   last - start - wanted);
  }

  /// The name of what was restored. A ConfigError if the checkpoint is of another run.
  std::string restore(const std::uint64_t start) {
    const auto found = claims_.starts.find(start);
    const bool from_file = found != claims_.starts.end();
    const FoundCheckpoint saved{from_file ? io::read_checkpoint(found->second) : initial_,
                                from_file ? found->second : std::filesystem::path("initial weights")};
    require_same_run(saved, initial_, Log(LogLevel::error));
    restore_model(experiment_.context.exec, saved.checkpoint, saved.path.string(), experiment_.model);
    restore_optimizer(experiment_.context.exec, saved.checkpoint, saved.path.string(), *experiment_.optimizer);
    state_.resume_at(start);
    return saved.path.filename().string();
  }

  std::vector<ReplayedInterval> run_stretch(const std::uint64_t start, const std::uint64_t last) {
    std::vector<ReplayedInterval> intervals;
    for (const Interval& steps : claims_.intervals())
      if (steps.from >= start && steps.to <= last)
        intervals.push_back({.steps = steps, .drawn = false, .from = {}, .weights_sha256 = {}, .differences = {}});
    try {
      const std::string from = restore(start);
      for (ReplayedInterval& interval : intervals) {
        interval.from = from;
        if (interval.steps.from == 0) compare_initial(interval);
        while (state_.step < interval.steps.to) {
          state_.run_step(false);
          compare_line(interval);
        }
        compare_state(interval);
      }
    } catch (const ConfigError& error) {
      for (ReplayedInterval& interval : intervals) interval.differences.emplace_back(error.what());
    }
    return intervals;
  }

  static void compare(ReplayedInterval& interval, const std::string& what, const std::string& said,
                      const std::string& found) {
    if (said != found)
      interval.differences.push_back(fmt::format("{}: the run says {}, the replay has {}", what, said, found));
  }

  void compare_initial(ReplayedInterval& interval) const {
    if (!claims_.initial_weights.empty())
      compare(interval, "initial weights", claims_.initial_weights, weights_sha256(initial_.tensors));
  }

  /// The line of the log about the step that was done, if there is one.
  void compare_line(ReplayedInterval& interval) const {
    const auto& lines = claims_.log.steps;
    const auto line = std::lower_bound(
        lines.begin(), lines.end(), double(state_.step),
        [](const auto& record, const double step) { return record.number("step").value_or(0) < step; });
    if (line == lines.end() || line->number("step") != double(state_.step)) return;
    const auto number = [&](const std::string& key, const double found) {
      const auto said = line->number(key);
      if (std::isfinite(found) || said)
        compare(interval, fmt::format("{} in step {}", key, state_.step), said ? fmt::format("{}", *said) : "nothing",
                fmt::format("{}", found));
    };
    const StepSettings settings = state_.settings_of(state_.step - 1);
    number("lr", settings.rate);
    number("lambda", settings.lambda);
    const losses::NamedNumbers loss = state_.numbers_of_step();
    for (std::size_t i = 0; i < loss.values.size(); ++i) number("loss." + std::string(loss.names[i]), loss.values[i]);
  }

  void compare_state(ReplayedInterval& interval) const {
    constexpr std::array<std::string_view, 1> everything{""};
    const std::vector<io::NamedTensor> found = tensors();
    interval.weights_sha256 = weights_sha256(found);
    const std::string all = io::sha256_of(found, everything);
    for (const Claim& claim : claims_.by_step.at(interval.steps.to))
      compare(interval, fmt::format("state after step {} in {}", interval.steps.to, claim.file), claim.sha256,
              claim.about == Claim::About::weights ? interval.weights_sha256 : all);
  }

  Experiment& experiment_;
  const run::RunClaims& claims_;
  TrainingState state_;
  io::Checkpoint initial_;
};

}  // namespace

std::vector<ReplayedInterval> replay(Experiment& experiment, const run::RunDirectory& directory,
                                     const run::RunClaims& claims, const std::vector<Interval>& drawn) {
  return Replay(experiment, directory, claims).run(drawn);
}

}  // namespace bcr::train
