#ifndef BCR_SRC_TRAIN_RUN_DIRECTORY_HPP
#define BCR_SRC_TRAIN_RUN_DIRECTORY_HPP

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::train {

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
  std::filesystem::path scores() const { return path_ / "scores.h5"; }
  std::filesystem::path metrics() const { return path_ / "metrics.json"; }
  RunDirectory trial(int number) const;  ///< trial-1, trial-2, ...

  /// Every checkpoint there is, newest first.
  std::vector<std::filesystem::path> checkpoints() const;

  /// Makes the directory. An IoError says why it cannot.
  void create() const;
  /// A ConfigError if a run has been here: nothing is overwritten unasked.
  void require_unused() const;
  /// Removes what writers that were killed left behind.
  void remove_leftovers() const;

 private:
  std::filesystem::path path_;
};

/// train.jsonl: grows by whole lines, each written at once, so that a reader (or a kill) never meets half of one.
class LineFile {
 public:
  explicit LineFile(const std::filesystem::path& path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// Throws an IoError if the disk is full.
  void append(std::string_view line);

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace bcr::train

#endif
