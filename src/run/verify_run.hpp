#ifndef BCR_SRC_RUN_VERIFY_RUN_HPP
#define BCR_SRC_RUN_VERIFY_RUN_HPP

#include <filesystem>
#include <string>
#include <vector>

namespace bcr::run {

/// What was found out about one statement of a run.
struct Finding {
  enum class Verdict { right, wrong, unknown };

  Verdict verdict = Verdict::right;
  std::string file;
  std::string text;  ///< one sentence
};

/// Reads every file of a run directory to the last byte and compares what they say of each other: the log with itself;
/// manifest, configuration and metrics with the checkpoints; scores with checkpoint and metrics; all of them with the
/// data files, where those still are. An IoError if the directory holds no run.
std::vector<Finding> verify_run(const std::filesystem::path& directory);

}  // namespace bcr::run

#endif
