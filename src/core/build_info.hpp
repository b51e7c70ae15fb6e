#ifndef BCR_SRC_CORE_BUILD_INFO_HPP
#define BCR_SRC_CORE_BUILD_INFO_HPP

#include <string>
#include <utility>
#include <vector>

namespace bcr {

/// What this binary was made of. The git part is read at every build (cmake/git_version.cmake), not at configure time.
struct BuildInfo {
  std::string version;         ///< "0.1.0"
  std::string git_hash;        ///< 40 digits, or "unknown" outside a repository and its archives
  std::string git_state;       ///< "clean", "dirty" or "unknown"
  std::string compiler;        ///< "GNU 12.2.0"
  std::string compiler_flags;  ///< CMAKE_CXX_FLAGS, those of the build type, and our own
  std::string build_type;      ///< "Release"
};

BuildInfo build_info();

/// Name and version of a library.
using LibraryVersion = std::pair<std::string, std::string>;

/// The libraries below src/core, as compiled against.
std::vector<LibraryVersion> core_libraries();

}  // namespace bcr

#endif
