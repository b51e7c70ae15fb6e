#ifndef BCR_SRC_RUN_VERIFY_RUN_HPP
#define BCR_SRC_RUN_VERIFY_RUN_HPP

#include "src/run/findings.hpp"

#include <filesystem>
#include <vector>

namespace bcr::run {

/// Reads every file of a run directory to the last byte and compares what they say of each other: the log with itself;
/// manifest, configuration and metrics with the checkpoints; metrics with what follows from the scores; all of them
/// with the split and the data files, where those still are. An IoError if the directory holds no run.
std::vector<Finding> verify_run(const std::filesystem::path& directory);

}  // namespace bcr::run

#endif
