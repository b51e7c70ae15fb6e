#ifndef BCR_SRC_TRAIN_CHECKPOINT_POLICY_HPP
#define BCR_SRC_TRAIN_CHECKPOINT_POLICY_HPP

#include "io/hdf5/checkpoint.hpp"
#include "src/core/log.hpp"
#include "src/train/run_directory.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace bcr::train {

/// Renews checkpoint-latest.h5 and keeps the one before as checkpoint-previous.h5. At every moment, also if the process
/// is killed or the disk is full, there is a whole file under the name of the latest. Returns its SHA-256.
std::string save_latest(const RunDirectory& directory, const io::Checkpoint& checkpoint);

/// A checkpoint with the name by which the user knows it.
struct FoundCheckpoint {
  io::Checkpoint checkpoint;
  std::filesystem::path path;
};

/// What `--resume` asks for: "auto" is the latest of the directory, or nothing if the run has none yet; anything else is
/// a path. A damaged file is refused by an IoError that names it and the newest one that is whole.
std::optional<FoundCheckpoint> find_checkpoint(const RunDirectory& directory, const std::string& resume);

/// A ConfigError unless the checkpoint belongs to this run: model, optimizer, seed, mode, split, training data, and
/// the settings that fix the algorithm (run_settings.hpp). Other differences of the configuration are the user's
/// business and are logged.
void require_same_run(const FoundCheckpoint& found, const io::Checkpoint& here, const Log& log);

}  // namespace bcr::train

#endif
