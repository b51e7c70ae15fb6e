#ifndef BCR_SRC_RUN_RUN_DIRECTORY_HPP
#define BCR_SRC_RUN_RUN_DIRECTORY_HPP

#include <filesystem>
#include <string>
#include <vector>

namespace bcr::run {

/// The files of one run; docs/run_directory.md says what they hold.
class RunDirectory {
 public:
  /// Does not touch the disk.
  explicit RunDirectory(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path config() const { return path_ / "config.resolved.toml"; }
  std::filesystem::path manifest() const { return path_ / "manifest.json"; }
  std::filesystem::path log() const { return path_ / "train.jsonl"; }
  std::filesystem::path latest() const { return path_ / "checkpoint-latest.h5"; }
  std::filesystem::path previous() const { return path_ / "checkpoint-previous.h5"; }
  std::filesystem::path best() const { return path_ / "checkpoint-best.h5"; }
  std::filesystem::path of_epoch(int epoch) const;
  std::filesystem::path vocabulary() const { return path_ / "vocabulary.txt"; }  ///< of texts, a word a line
  std::filesystem::path scores() const { return path_ / "scores.h5"; }
  std::filesystem::path fitted() const { return path_ / "fitted.h5"; }
  std::filesystem::path metrics() const { return path_ / "metrics.json"; }
  std::filesystem::path lock() const { return path_ / ".lock"; }  ///< there while a process trains
  RunDirectory trial(int number) const;                           ///< trial-1, trial-2, ...

  /// Whether a file lies in this directory.
  bool holds(const std::filesystem::path& file) const;
  /// Every checkpoint there is, newest first.
  std::vector<std::filesystem::path> checkpoints() const;

  /// Makes the directory. An IoError says why it cannot.
  void create() const;
  /// A ConfigError if a run has been here: nothing is overwritten unasked.
  void require_unused() const;
  /// Removes what writers that were killed left behind; only for who has locked the directory (src/train/run_lock.hpp).
  void remove_leftovers() const;

 private:
  std::filesystem::path path_;
};

}  // namespace bcr::run

#endif
