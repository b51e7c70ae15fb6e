#ifndef BCR_IO_COMMANDS_SKIPPED_FILES_HPP
#define BCR_IO_COMMANDS_SKIPPED_FILES_HPP

#include "src/core/log.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bcr::io {

/// The files that an import left out, with the reasons.
class SkippedFiles {
 public:
  void add(const std::string& file, const std::string& reason) { files_.emplace_back(file, reason); }

  /// The number, and the first ones, as warnings; nothing if there are none.
  void tell(const Log& log) const;
  /// As RFC 4180 says: "file,reason", then a line each.
  std::string csv() const;

 private:
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace bcr::io

#endif
