#include "src/train/hooks/checkpoint_hook.hpp"

#include "src/train/checkpoint_policy.hpp"

namespace bcr::train {
namespace {

void renew_latest(TrainingState& state) {
  state.require_finite();
  state.write_on_root([&] { save_latest(state.directory, state.checkpoint()); });
}

}  // namespace

void CheckpointHook::after_step(TrainingState& state) {
  const auto every = static_cast<std::uint64_t>(state.experiment.options.train.save_every);
  const bool due = state.stops || (every > 0 && state.step % every == 0);
  if (due && !state.at_epoch_end()) renew_latest(state);
}

void CheckpointHook::after_epoch(TrainingState& state) {
  // Before the evaluation, which may take long: whoever resumes at the end of an epoch evaluates it first.
  renew_latest(state);
  const int every = state.experiment.options.train.checkpoint_every;
  if (every > 0 && state.epochs_done() % every == 0)
    state.write_on_root(
        [&] { io::write_checkpoint(state.directory.of_epoch(state.epochs_done()), state.checkpoint()); });
}

}  // namespace bcr::train
