#include "src/train/checkpoint_policy.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <set>
#include <sstream>

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

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
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
  const auto require_equal = [&](const std::string_view what, const std::string& in_file, const std::string& in_run) {
    if (in_file == in_run) return;
    throw ConfigError(fmt::format("resume from '{}'", found.path.string()),
                      fmt::format("the {} of that run, '{}'", what, in_file), fmt::format("'{}'", in_run));
  };
  require_equal("model", found.checkpoint.model, here.model);
  require_equal("optimizer", found.checkpoint.optimizer, here.optimizer);
  require_equal("seed", std::to_string(found.checkpoint.seed), std::to_string(here.seed));
  require_equal("mode", found.checkpoint.mode, here.mode);
  require_equal("split", found.checkpoint.split_hash, here.split_hash);
  const std::set<std::string> before = lines_of(found.checkpoint.config);
  for (const std::string& line : lines_of(here.config)) {
    if (!before.contains(line))
      log.warning("train", "the configuration has changed since the checkpoint: now '{}'", line);
  }
}

}  // namespace bcr::train
