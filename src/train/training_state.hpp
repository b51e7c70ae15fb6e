#ifndef BCR_SRC_TRAIN_TRAINING_STATE_HPP
#define BCR_SRC_TRAIN_TRAINING_STATE_HPP

#include "io/hdf5/checkpoint.hpp"
#include "src/core/manifest.hpp"
#include "src/core/open_file.hpp"
#include "src/run/run_directory.hpp"
#include "src/train/experiment.hpp"
#include "src/train/loss_sums.hpp"
#include "src/train/progress_bar.hpp"
#include "src/train/run_log.hpp"
#include "src/train/training_step.hpp"

#include <functional>
#include <optional>
#include <string>

namespace bcr::train {

/// A training run between two steps, as its hooks see it. Rank 0 alone writes files.
struct TrainingState {
  TrainingState(Experiment& made, const run::RunDirectory& where);

  bool is_root() const { return experiment.ranks.is_root(); }
  bool at_epoch_end() const { return step % experiment.steps_per_epoch() == 0; }
  bool at_end() const { return ends_early || step >= experiment.total_steps(); }
  int epochs_done() const { return static_cast<int>(step / experiment.steps_per_epoch()); }
  /// Rate and lambda of step number `number`, counted from 0.
  StepSettings settings_of(std::uint64_t number) const;
  /// The numbers of the objective, of the last step.
  losses::NamedNumbers numbers_of_step() const;

  /// To go on after so many steps, all known to be good.
  void resume_at(const std::uint64_t steps) { step = finite_until_ = steps; }

  /// The next step, its numbers added to those of the epoch. `stop`: whether this rank was asked to stop.
  StepAgreement run_step(bool stop);

  /// Rank 0 writes; the others wait until it has. An IoError if the directory is no longer the one that it began in.
  void write_on_root(const std::function<void()>& write) const;

  /// Before anything is written about or from the weights: a NumericsError that names the steps and the layer if the
  /// loss or the weights are no longer finite.
  void require_finite();

  Experiment& experiment;
  run::RunDirectory directory;
  Manifest manifest;
  RunLog log;
  std::optional<HeldDirectory> held;  ///< the directory, on rank 0, from the first write on
  TrainingStep<Device, Real> training;
  LossSums<Device> sums;  ///< of the epoch
  RegionClock<Device> clock;
  std::optional<ProgressBar> progress;
  std::uint64_t step = 0;  ///< steps done
  bool watched = false;    ///< the parts of the step to come are timed
  bool stops = false;      ///< was asked to stop before its end, and is to be resumed
  bool ends_early = false;  ///< a hook saw no sense in going on: this was the last step
  /// Of the whole run; set by the Trainer.
  std::function<io::Checkpoint()> checkpoint;

 private:
  std::string place_not_finite() const;

  std::uint64_t finite_until_ = 0;  ///< steps known to have had a finite loss
};

/// Looks at a run after its steps: one for the log, one for checkpoints, one for tests, ... On all ranks alike.
class TrainingHook {
 public:
  TrainingHook() = default;
  virtual ~TrainingHook() = default;
  TrainingHook(const TrainingHook&) = delete;
  TrainingHook& operator=(const TrainingHook&) = delete;

  /// Its own part of a checkpoint.
  virtual void save(io::Checkpoint& /*checkpoint*/) const {}
  virtual void restore(const io::Checkpoint& /*checkpoint*/) {}

  /// Before the first step, or the first one after a resume.
  virtual void begin(TrainingState& /*state*/) {}
  /// May set state.watched.
  virtual void before_step(TrainingState& /*state*/) {}
  virtual void after_step(TrainingState& /*state*/) {}
  /// After after_step() of all hooks.
  virtual void after_epoch(TrainingState& /*state*/) {}
  /// After the last step of the run.
  virtual void end(TrainingState& /*state*/) {}
};

}  // namespace bcr::train

#endif
