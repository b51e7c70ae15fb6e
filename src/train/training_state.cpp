#include "src/train/training_state.hpp"

#include "kernels/reduce/reduce.hpp"
#include "src/train/rank_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bcr::train {
namespace {

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](const double value) { return std::isfinite(value); });
}

}  // namespace

TrainingState::TrainingState(Experiment& made, const run::RunDirectory& where)
    : experiment(made),
      directory(where),
      training(made.make_step()),
      sums(made.objective->numbers().size()),
      clock(made.context.exec) {}

StepSettings TrainingState::settings_of(const std::uint64_t number) const {
  const double epoch = double(number) / double(experiment.steps_per_epoch());
  return {.seed = experiment.options.seed,
          .step = number,
          .rate = experiment.rate(number),
          .lambda = losses::lambda_at(experiment.options.loss, epoch)};
}

StepAgreement TrainingState::run_step(const bool stop) {
  const Device& exec = experiment.context.exec;
  clock.start(watched ? RegionClock<Device>::State::watching : RegionClock<Device>::State::idle);
  const auto load = [&](const int shard) { return experiment.batches.load(exec, step, shard); };
  const StepAgreement agreement = training.run(exec, load, settings_of(step), stop, clock);
  sums.add(exec, training.numbers(), double(training.known_images()));
  ++step;
  return agreement;
}

void TrainingState::write_on_root(const std::function<void()>& write) const {
  const double limit = experiment.options.train.sharding.time_limit;
  train::write_on_root(experiment.ranks, std::chrono::duration<double>(limit), [&] {
    if (held) held->require_there();
    write();
  });
}

losses::NamedNumbers TrainingState::numbers_of_step() const {
  return {experiment.objective->numbers(), losses::read_numbers<Device>(experiment.context.exec, training.numbers())};
}

void TrainingState::require_finite() {
  if (finite_until_ == step && step > 0) return;
  const Device& exec = experiment.context.exec;
  if (all_finite(sums.save(exec)) &&
      kernels::all_finite<Device, Real>(exec, experiment.model.parameters().values())) {
    finite_until_ = step;
    return;
  }
  const std::string place = place_not_finite();
  log.write_end(step, "not finite");
  if (progress) progress->clear();
  const bool saved = std::filesystem::exists(directory.latest());
  throw NumericsError(
      fmt::format("training, steps {} to {}", finite_until_ + 1, step),
      fmt::format("a finite loss and finite weights; {}. A smaller train.lr or a longer warm-up may help",
                  saved ? "the last good state is " + directory.latest().string() : "nothing was saved yet"),
      fmt::format("NaN or infinity, seen {}", place));
}

std::string TrainingState::place_not_finite() const {
  const auto& parameters = experiment.model.parameters();
  const Device& exec = experiment.context.exec;
  std::string place = experiment.model.network().first_not_finite(exec, training.images_of_last_shard());
  for (std::size_t id = 0; id < parameters.slices().size() && place.empty(); ++id)
    if (!kernels::all_finite<Device, Real>(exec, parameters.values(int(id)))) place = parameters.slices()[id].name;
  if (place.empty()) place = "the loss";
  if (experiment.ranks.size() == 1) return "in " + place;
  // All ranks find this out in the same step; the one whose own shards failed first is to be named.
  const std::vector<std::uint64_t> steps = experiment.ranks.gather_values(training.first_step_not_finite());
  const auto places = experiment.ranks.gather(std::as_bytes(std::span(place)));
  const auto first = static_cast<std::size_t>(std::min_element(steps.begin(), steps.end()) - steps.begin());
  const std::string there(reinterpret_cast<const char*>(places[first].data()), places[first].size());
  return fmt::format("on rank {} of {}, in {}", first, steps.size(), there);
}

}  // namespace bcr::train
