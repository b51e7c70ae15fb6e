#ifndef BCR_SRC_TRAIN_RUN_PARTS_HPP
#define BCR_SRC_TRAIN_RUN_PARTS_HPP

#include "src/core/config/value.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bcr::train {

/// What was trained in one go, from a start or a resume on: the list `parts` of manifest.json.
struct RunPart {
  std::string host;
  std::string git;
  std::int64_t ranks = 1;
  std::int64_t threads = 1;  ///< of each rank
  std::int64_t from_step = 0;
  std::string time_utc;
};

/// The parts in a manifest; of one without the list, what it says of the run as its only part. None if there is no
/// manifest that can be read.
std::vector<RunPart> read_parts(const std::filesystem::path& manifest);

/// For a manifest.
ConfigValue parts_value(const std::vector<RunPart>& parts);

}  // namespace bcr::train

#endif
