#ifndef BCR_SRC_TRAIN_TRAINER_HPP
#define BCR_SRC_TRAIN_TRAINER_HPP

#include "src/run/manifest_file.hpp"
#include "src/train/checkpoint_policy.hpp"
#include "src/train/training_state.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace bcr::train {

enum class Outcome { done, stopped };

/// The training loop of one run, on all ranks alike; rank 0 alone writes files. All that a later run needs to continue,
/// to the same bits and on any number of ranks, is in a checkpoint: the images of a step are a function of (seed,
/// step), as are dropout and rates. What is done besides the steps (log, checkpoints, tests) is done by hooks.
class Trainer {
 public:
  /// Writes nothing yet. `stop` is asked after every step: if any rank is to stop, the run is saved and ends.
  Trainer(Experiment& experiment, const RunDirectory& directory, std::function<bool()> stop);

  /// Called after those that are there: log, checkpoints, tests.
  void add(std::unique_ptr<TrainingHook> hook) { hooks_.push_back(std::move(hook)); }

  /// Goes on from a checkpoint of this run; a ConfigError if it is none, before anything is written.
  void resume(const FoundCheckpoint& found);

  /// Until the last step, or until asked to stop. A NumericsError names step and layer if the loss or the weights are no
  /// longer finite; the last good checkpoint stays.
  Outcome run();

 private:
  void begin_manifest();
  void begin();
  void begin_files();
  void require_equal_start() const;
  void run_step();
  void finish();
  void require_equal_weights(const std::string& sha256) const;
  io::Checkpoint checkpoint() const;

  TrainingState state_;
  std::function<bool()> stop_;
  std::vector<std::unique_ptr<TrainingHook>> hooks_;
  std::vector<run::RunPart> parts_;  ///< of this run, before this one
  std::string resumed_from_;    ///< name of the checkpoint, if there was one
};

}  // namespace bcr::train

#endif
