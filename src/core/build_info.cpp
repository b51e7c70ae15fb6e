#include "src/core/build_info.hpp"

#include "src/core/build_flags.hpp"
#include "src/core/config/toml.hpp"
#include "src/core/git_version.hpp"

#include <fmt/format.h>
#include <spdlog/version.h>
#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>

namespace bcr {

BuildInfo build_info() {
  return {BCR_VERSION,         generated::git_hash,       generated::git_state,
          generated::compiler, generated::compiler_flags, generated::build_type};
}

std::vector<LibraryVersion> core_libraries() {
  const auto version = [](const int major, const int minor, const int patch) {
    return fmt::format("{}.{}.{}", major, minor, patch);
  };
  return {{"kokkos", version(KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100)},
          {"fmt", version(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"spdlog", version(SPDLOG_VER_MAJOR, SPDLOG_VER_MINOR, SPDLOG_VER_PATCH)},
          {"tomlplusplus", toml_library_version()},
          {"boost", generated::boost_version},
          {"nlohmann_json",
           version(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}};
}

}  // namespace bcr
