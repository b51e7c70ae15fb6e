#ifndef BCR_SRC_APP_VERSION_HPP
#define BCR_SRC_APP_VERSION_HPP

#include <string>

namespace bcr::app {

enum class VersionFormat { text, json };

/// Everything a bug report needs: version, git state, compiler and flags, libraries, Kokkos backends, machine.
/// Kokkos need not run.
std::string version_text(VersionFormat format);

}  // namespace bcr::app

#endif
