#ifndef BCR_SRC_TRAIN_RUN_LOCK_HPP
#define BCR_SRC_TRAIN_RUN_LOCK_HPP

#include "src/core/log.hpp"
#include "src/run/run_directory.hpp"

namespace bcr::train {

using run::RunDirectory;

/// Keeps other processes out of a run directory as long as it lives: a locked file that says who is there. The lock
/// ends with the process, however that ends; the file is then taken over by the next one.
class RunLock {
 public:
  /// An IoError that names the process which has the directory. Where the file system knows no locks, a warning.
  RunLock(const RunDirectory& directory, const Log& log);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace bcr::train

#endif
