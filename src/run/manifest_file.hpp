#ifndef BCR_SRC_RUN_MANIFEST_FILE_HPP
#define BCR_SRC_RUN_MANIFEST_FILE_HPP

#include "src/core/config/value.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::run {

/// manifest.json as a list of dotted keys and their values as text, in the order of the file. src/core/manifest.hpp
/// writes it.
struct ManifestEntries {
  std::vector<std::pair<std::string, std::string>> entries;

  /// The value of a key, or "".
  std::string text(std::string_view key) const;
};

/// IoError for what is no JSON object, or not what was written.
ManifestEntries parse_manifest(std::string_view text, const std::string& source);

/// What was trained in one go, from a start or a resume on: the list `parts` of manifest.json.
struct RunPart {
  std::string host;
  std::string git;
  std::int64_t ranks = 1;
  std::int64_t threads = 1;  ///< of each rank
  std::int64_t from_step = 0;
  std::string time_utc;

  bool operator==(const RunPart&) const = default;
};

/// The parts in a manifest; of one without the list, what it says of the run as its only part. None if there is no
/// manifest that can be read.
std::vector<RunPart> read_parts(const std::filesystem::path& manifest);

/// For a manifest.
ConfigValue parts_value(const std::vector<RunPart>& parts);

}  // namespace bcr::run

#endif
