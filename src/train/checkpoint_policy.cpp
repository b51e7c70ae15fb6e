#include "src/train/checkpoint_policy.hpp"

#include "src/core/error.hpp"
#include "src/train/data_record.hpp"
#include "src/train/run_settings.hpp"

#include <fmt/format.h>

namespace bcr::train {

namespace fs = std::filesystem;

namespace {

/// A second name for the file, in one step: a reader finds the old one or the new one. File systems without links have
/// no previous checkpoint.
void keep_as(const fs::path& file, const fs::path& name) {
  const fs::path temporary = name.parent_path() / fmt::format(".{}.tmp", name.filename().string());
  std::error_code error;
  fs::remove(temporary, error);
  fs::create_hard_link(file, temporary, error);
  if (!error) fs::rename(temporary, name, error);
  fs::remove(temporary, error);  // rename does nothing if both are one file already
}

std::optional<fs::path> newest_whole(const RunDirectory& directory, const fs::path& damaged) {
  for (const fs::path& path : directory.checkpoints()) {
    if (path.filename() == damaged.filename()) continue;
    try {
      io::read_checkpoint(path);
      return path;
    } catch (const IoError&) {
      continue;
    }
  }
  return std::nullopt;
}

/// Refuses, or tells of, what differs between a checkpoint and the run that is to go on from it.
class Differences {
 public:
  Differences(const fs::path& path, const Log& log) : path_(path.string()), log_(log) {}

  void refuse(const std::string_view what, const std::string& in_file, const std::string& in_run) const {
    if (in_file == in_run) return;
    throw ConfigError(fmt::format("resume from '{}'", path_), fmt::format("the {} of that run, '{}'", what, in_file),
                      fmt::format("'{}'", in_run));
  }
  void tell(const std::string_view what, const std::string& in_file, const std::string& in_run) const {
    if (in_file != in_run)
      log_.warning("train", "since the checkpoint, {} has changed: was {}, is {}", what, in_file, in_run);
  }

 private:
  std::string path_;
  const Log& log_;
};

std::string value_of(const std::map<std::string, std::string>& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "nothing" : found->second;
}

void compare_settings(const Differences& differences, const RunSettings& before, const RunSettings& now) {
  for (const auto& [key, value] : now) {
    // A key that is younger than the checkpoint has its old value nowhere.
    if (fixes_the_algorithm(key) && before.contains(key)) differences.refuse(key, before.at(key), value);
    differences.tell(key, value_of(before, key), value);
  }
}

void compare_data(const Differences& differences, const std::map<std::string, std::string>& before,
                  const std::map<std::string, std::string>& now) {
  for (const auto& [side, digests] : now) {
    if (is_trained_on(side)) differences.refuse("SHA-256 of data." + side, value_of(before, side), digests);
    differences.tell("SHA-256 of data." + side, value_of(before, side), digests);
  }
}

}  // namespace

std::string save_latest(const RunDirectory& directory, const io::Checkpoint& checkpoint) {
  if (fs::exists(directory.latest())) keep_as(directory.latest(), directory.previous());
  return io::write_checkpoint(directory.latest(), checkpoint);
}

std::optional<FoundCheckpoint> find_checkpoint(const RunDirectory& directory, const std::string& resume) {
  const bool automatic = resume == "auto";
  const fs::path path = automatic ? directory.latest() : fs::path(resume);
  if (automatic && !fs::exists(path)) return std::nullopt;
  try {
    return FoundCheckpoint{io::read_checkpoint(path), path};
  } catch (const IoError& error) {
    if (!fs::exists(path)) throw;
    const auto whole = newest_whole(directory, path);
    throw IoError("resume", fmt::format("a whole checkpoint in '{}'{}", path.string(),
                                        whole ? fmt::format("; the newest whole one is --resume {}", whole->string())
                                              : std::string("; there is no other, so begin anew in another --out")),
                  error.what());
  }
}

void require_same_run(const FoundCheckpoint& found, const io::Checkpoint& here, const Log& log) {
  const Differences differences(found.path, log);
  differences.refuse("model", found.checkpoint.model, here.model);
  differences.refuse("optimizer", found.checkpoint.optimizer, here.optimizer);
  differences.refuse("seed", std::to_string(found.checkpoint.seed), std::to_string(here.seed));
  differences.refuse("mode", found.checkpoint.mode, here.mode);
  differences.refuse("split", found.checkpoint.split_hash, here.split_hash);
  compare_settings(differences, settings_of(found.checkpoint.config, found.path.string()),
                   settings_of(here.config, "this run"));
  if (found.checkpoint.data.empty()) {
    log.warning("train", "{} does not say which data it was trained on: see to it that they are the same",
                found.path.string());
  } else {
    compare_data(differences, digests_by_side(found.checkpoint.data), digests_by_side(here.data));
  }
}

}  // namespace bcr::train
