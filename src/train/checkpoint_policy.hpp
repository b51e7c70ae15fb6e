#ifndef BCR_SRC_TRAIN_CHECKPOINT_POLICY_HPP
#define BCR_SRC_TRAIN_CHECKPOINT_POLICY_HPP

#include "io/hdf5/checkpoint.hpp"
#include "src/core/log.hpp"
#include "src/train/batches/open_data.hpp"
#include "src/train/options.hpp"
#include "src/run/run_directory.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace bcr::train {

using run::RunDirectory;

/// What a checkpoint says of its run: everything that does not change from step to step, but model and optimizer.
io::Checkpoint begin_checkpoint(const RunOptions& options, const OpenData& data);

/// Renews checkpoint-latest.h5 and keeps the one before as checkpoint-previous.h5. The new one is read back before the
/// others move: at every moment, also if the process is killed or the disk is full or lies, there is a whole file under
/// the name of the latest. Returns the SHA-256 of its tensors.
std::string save_latest(const RunDirectory& directory, const io::Checkpoint& checkpoint);

/// A checkpoint with the name by which the user knows it.
struct FoundCheckpoint {
  io::Checkpoint checkpoint;
  std::filesystem::path path;
};

/// What `--resume` asks for: "auto" is the latest of the directory, or nothing if the run has none yet; if that is
/// damaged, the one that has come furthest of those that are whole, with a warning. Anything else is a path: a damaged
/// file is refused by an IoError that names it and the one to take.
std::optional<FoundCheckpoint> find_checkpoint(const RunDirectory& directory, const std::string& resume,
                                               const Log& log);

/// A ConfigError unless the checkpoint belongs to this run: model, optimizer, seed, mode, split, training data and
/// their normalisation, and
/// the settings that fix the algorithm (run_settings.hpp). Other differences of the configuration are the user's
/// business and are logged.
void require_same_run(const FoundCheckpoint& found, const io::Checkpoint& here, const Log& log);

/// Which test data the user has asked for in place of those of the run.
struct OtherTestData {
  bool split = false;
  bool known_test = false;
  bool unknown_test = false;
};

/// A ConfigError unless the options and data of an evaluation are those that the checkpoint was trained with: model, loss,
/// known and background classes, training data, normalisation; and the test data, but for those that were asked for.
void require_same_model(const FoundCheckpoint& found, const RunOptions& options, const OpenData& data,
                        const OtherTestData& other, const Log& log);

}  // namespace bcr::train

#endif
