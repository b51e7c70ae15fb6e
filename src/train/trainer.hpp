#ifndef BCR_SRC_TRAIN_TRAINER_HPP
#define BCR_SRC_TRAIN_TRAINER_HPP

#include "src/core/manifest.hpp"
#include "src/run/manifest_file.hpp"
#include "src/train/best_epoch.hpp"
#include "src/train/checkpoint_policy.hpp"
#include "src/train/experiment.hpp"
#include "src/train/loss_sums.hpp"
#include "src/train/open_set_test.hpp"
#include "src/train/progress_bar.hpp"
#include "src/train/run_log.hpp"
#include "src/train/shards/sharded_step.hpp"
#include "src/train/training_step.hpp"
#include "src/train/work_rate.hpp"

#include <functional>
#include <optional>

namespace bcr::train {

enum class Outcome { done, stopped };

/// The training loop of one run, on all ranks alike; rank 0 alone writes files. All that a later run needs to continue,
/// to the same bits and on any number of ranks, is in a checkpoint: the images of a step are a function of (seed,
/// step), as are dropout and rates.
class Trainer {
 public:
  /// Writes nothing yet. `stop` is asked after every step: if any rank is to stop, the run is saved and ends.
  Trainer(Experiment& experiment, const RunDirectory& directory, std::function<bool()> stop);

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
  StepAgreement run_step();
  void log_step();
  void end_epoch();
  /// Validation and tests; whether the training has come to its end, by steps or by patience.
  bool evaluate_if_due();
  bool validate();
  void test(Keep keep);
  void finish();
  void require_finite();
  std::string place_not_finite() const;
  void require_equal_weights(const std::string& sha256) const;
  losses::LossParts loss_of_step() const;
  io::Checkpoint checkpoint() const;
  void save();
  /// Checkpoints and other files are written by rank 0.
  void write_on_root(const std::function<void()>& write) const;
  void write_checkpoint(const std::filesystem::path& path) const;

  int epochs_done() const { return static_cast<int>(step_ / experiment_.steps_per_epoch()); }
  bool is_root() const { return experiment_.ranks.is_root(); }
  bool at_epoch_end() const { return step_ % experiment_.steps_per_epoch() == 0; }

  Experiment& experiment_;
  RunDirectory directory_;
  std::function<bool()> stop_;
  Manifest manifest_;
  std::vector<run::RunPart> parts_;  ///< of this run, before this one
  std::string resumed_from_;    ///< name of the checkpoint, if there was one
  RunLog log_;
  TrainingStep<Device, Real> training_;
  std::optional<ShardedStep<Device, Real>> sharded_;  ///< in place of it, if a batch has several shards
  LossSums<Device> sums_;
  RegionClock<Device> clock_;
  WorkRate work_;
  Inference<Device, Real> inference_;
  std::optional<SharedSet<Device, Real>> validation_;
  std::optional<OpenSetTest<Device, Real>> test_;
  std::optional<ProgressBar> progress_;
  std::uint64_t step_ = 0;          ///< steps done
  std::uint64_t finite_until_ = 0;  ///< steps known to have had a finite loss
  std::size_t images_of_pass_ = 0;  ///< in the network after the last step
  std::uint64_t images_of_epoch_ = 0;  ///< since the start of this process, on all ranks, for rates
  Kokkos::Timer epoch_timer_;
  BestEpoch best_;
};

}  // namespace bcr::train

#endif
