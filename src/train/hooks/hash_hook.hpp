#ifndef BCR_SRC_TRAIN_HOOKS_HASH_HOOK_HPP
#define BCR_SRC_TRAIN_HOOKS_HASH_HOOK_HPP

#include "src/train/training_state.hpp"

namespace bcr::train {

/// The SHA-256 of parameters and running statistics in train.jsonl every train.hash_every steps, the same number as
/// sha256.final_weights of the manifest after the last one: whoever repeats a stretch of a run can compare.
class HashHook final : public TrainingHook {
 public:
  void after_step(TrainingState& state) override;
};

}  // namespace bcr::train

#endif
