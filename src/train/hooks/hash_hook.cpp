#include "src/train/hooks/hash_hook.hpp"

#include "src/train/model_state.hpp"

namespace bcr::train {

void HashHook::after_step(TrainingState& state) {
  const auto every = static_cast<std::uint64_t>(state.experiment.options.train.hash_every);
  if (every == 0 || state.step % every != 0 || !state.is_root()) return;
  const Experiment& experiment = state.experiment;
  state.log.write_weights(state.step, weights_sha256(save_model(experiment.context.exec, experiment.model)));
}

}  // namespace bcr::train
