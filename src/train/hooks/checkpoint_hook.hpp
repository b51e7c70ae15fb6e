#ifndef BCR_SRC_TRAIN_HOOKS_CHECKPOINT_HOOK_HPP
#define BCR_SRC_TRAIN_HOOKS_CHECKPOINT_HOOK_HPP

#include "src/train/training_state.hpp"

namespace bcr::train {

/// Renews checkpoint-latest.h5 at the end of each epoch, every train.save_every steps, and when a run is asked to stop;
/// keeps one every train.checkpoint_every epochs.
class CheckpointHook final : public TrainingHook {
 public:
  void after_step(TrainingState& state) override;
  void after_epoch(TrainingState& state) override;
};

}  // namespace bcr::train

#endif
