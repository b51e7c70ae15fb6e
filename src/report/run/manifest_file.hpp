#ifndef BCR_SRC_REPORT_RUN_MANIFEST_FILE_HPP
#define BCR_SRC_REPORT_RUN_MANIFEST_FILE_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::report {

/// manifest.json as a list of dotted keys and their values as text, in the order of the file.
struct ManifestEntries {
  std::vector<std::pair<std::string, std::string>> entries;

  /// The value of a key, or "".
  std::string text(std::string_view key) const;
};

/// IoError for what is no JSON object.
ManifestEntries parse_manifest(std::string_view text, const std::string& source);

}  // namespace bcr::report

#endif
