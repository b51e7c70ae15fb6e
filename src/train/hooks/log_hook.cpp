#include "src/train/hooks/log_hook.hpp"

#include "models/heads/anchor_geometry.hpp"

#include <fmt/format.h>

#include <cmath>

namespace bcr::train {
namespace {

/// Their separation takes C^2 n / 2 operations: nothing against the steps between two lines of the log, but for tens of
/// thousands of classes.
bool worth_measuring(const Matrix<Real, Device>& anchors) {
  return anchors.size() > 0 && double(anchors.extent(0)) * double(anchors.size()) < 2e9;
}

}  // namespace

LogHook::LogHook(TrainingState& state)
    : state_(state),
      work_(state.experiment.model.network().graph().multiply_accumulates(),
            measure_fma_peak<Device, Real>(state.experiment.context.exec, state.experiment.ranks)) {}

void LogHook::save(io::Checkpoint& checkpoint) const {
  checkpoint.epoch_sums = state_.sums.save(state_.experiment.context.exec);
}

void LogHook::restore(const io::Checkpoint& checkpoint) {
  state_.sums.restore(state_.experiment.context.exec, checkpoint.epoch_sums);
}

void LogHook::begin(TrainingState& state) {
  state.experiment.context.log.info("train", "fma peak of the threads of all ranks: {:.1f} GFLOP/s",
                                    work_.peak_gigaflop_per_second());
  state.progress.emplace(state.experiment.context.log, state.step, state.experiment.total_steps());
  timer_.reset();
}

void LogHook::before_step(TrainingState& state) {
  if ((state.step + 1) % static_cast<std::uint64_t>(state.experiment.options.train.log_every) == 0)
    state.watched = true;
  if (!state.at_epoch_end()) return;
  images_ = 0;
  tokens_ = 0;
  timer_.reset();
}

void LogHook::after_step(TrainingState& state) {
  const Experiment& experiment = state.experiment;
  const Device& exec = experiment.context.exec;
  images_ += state.training.images();
  tokens_ += experiment.batches.tokens(state.step - 1);
  if (state.step % static_cast<std::uint64_t>(experiment.options.train.log_every) != 0) return;
  state.require_finite();
  const StepSettings settings = state.settings_of(state.step - 1);
  const double seconds = timer_.seconds();
  const double rate = double(images_) / seconds;
  StepRecord record{.step = state.step,
                    .epoch = double(state.step) / double(experiment.steps_per_epoch()),
                    .rate = settings.rate,
                    .lambda = settings.lambda,
                    .loss = state.numbers_of_step(),
                    .images_per_second = rate,
                    .tokens_per_second = tokens_per_second(seconds),
                    .share_of_peak = work_.share_of_peak(rate),
                    .seconds = state.clock.seconds(),
                    .anchors = {}};
  if (worth_measuring(experiment.model.anchors()))
    record.anchors = models::measure_anchors<Device, Real>(exec, experiment.model.anchors());
  state.log.write(record);
  state.progress->show(state.step,
                       fmt::format("epoch {:.2f}/{}  loss {:.3f}  {}", record.epoch, experiment.options.train.epochs,
                                   record.loss.values.front(), rate_text(seconds)));
}

void LogHook::after_epoch(TrainingState& state) {
  state.require_finite();
  const Experiment& experiment = state.experiment;
  const double seconds = timer_.seconds();
  const double rate = double(images_) / seconds;
  const EpochRecord record{.epoch = state.epochs_done(),
                           .step = state.step,
                           .seconds = seconds,
                           .images_per_second = rate,
                           .tokens_per_second = tokens_per_second(seconds),
                           .gigaflop_per_second = work_.gigaflop_per_second(rate),
                           .share_of_peak = work_.share_of_peak(rate),
                           .loss = {experiment.objective->numbers(), state.sums.means(experiment.context.exec)}};
  state.log.write(record);
  state.progress->clear();
  const double accuracy = record.loss["accuracy"];
  experiment.context.log.info(
      "train", "epoch {}/{}: loss {:.4f}{}, {} ({:.0f} % of peak), {}", record.epoch,
      experiment.options.train.epochs, record.loss.values.front(),
      std::isnan(accuracy) ? std::string() : fmt::format(", accuracy {:.4f}", accuracy),
      rate_text(seconds), 100 * record.share_of_peak, duration_text(seconds));
  state.sums.clear(experiment.context.exec);
}

std::optional<double> LogHook::tokens_per_second(const double seconds) const {
  return tokens_ > 0 ? std::optional(double(tokens_) / seconds) : std::nullopt;
}

std::string LogHook::rate_text(const double seconds) const {
  const double samples = double(images_) / seconds;
  const auto tokens = tokens_per_second(seconds);
  return tokens ? fmt::format("{:.0f} texts/s, {:.0f} tokens/s", samples, *tokens)
                : fmt::format("{:.0f} img/s", samples);
}

}  // namespace bcr::train
