#include "src/app/version.hpp"

#include "src/comm/start.hpp"
#include "src/core/build_info.hpp"
#include "src/core/machine_info.hpp"
#include "src/core/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bcr::app {

std::string version_text(const VersionFormat format) {
  if (format == VersionFormat::json) return Manifest().to_json();
  const BuildInfo build = build_info();
  const KokkosInfo kokkos = kokkos_info();
  const MachineInfo machine = machine_info();
  std::string text = fmt::format("bcr {}\n", build.version);
  const auto line = [&](const std::string_view name, const std::string& value) {
    text += fmt::format("  {:<14} {}\n", name, value);
  };
  line("git", fmt::format("{} ({})", build.git_hash, build.git_state));
  line("compiler", fmt::format("{}, {}", build.compiler, build.build_type));
  line("flags", build.compiler_flags);
  for (const auto& [name, version] : core_libraries()) line(name, version);
  line("MPI", comm::message_library());
  line("runs on", fmt::format("{}", fmt::join(kokkos.execution_spaces, ", ")));
  line("machine", fmt::format("{}, {} hardware threads, {}", machine.cpu_model, machine.hardware_threads,
                              machine.operating_system));
  text.pop_back();
  return text;
}

}  // namespace bcr::app
