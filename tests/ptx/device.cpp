#include "tests/ptx/device.hpp"

#include <cstring>

namespace bcr::test::ptx {

LoadedModule::LoadedModule(const std::string_view text, DeviceMemory& memory) : module_(parse_module(text)) {
  for (const auto& variable : module_.variables) {
    if (variable.space == Space::shared || variable.is_external) continue;
    void* const place = memory.allocate(variable.size);
    std::memset(place, 0, variable.size);
    std::memcpy(place, variable.initial.data(), variable.initial.size());
    addresses_[variable.name] = reinterpret_cast<std::uint64_t>(place);
  }
}

bool LoadedModule::has_kernel(const std::string& name) const {
  const auto found = module_.functions.find(name);
  return found != module_.functions.end() && found->second.is_entry;
}

std::vector<std::string> LoadedModule::kernels() const {
  std::vector<std::string> names;
  for (const auto& [name, function] : module_.functions)
    if (function.is_entry) names.push_back(name);
  return names;
}

Program& LoadedModule::kernel(const std::string& name) {
  auto& program = programs_[name];
  if (!program) program = link(module_, name, addresses_);
  return *program;
}

void* LoadedModule::variable(const std::string_view name) const {
  const auto found = addresses_.find(name);
  return found == addresses_.end() ? nullptr : reinterpret_cast<void*>(found->second);
}

void run_kernel(Program& program, const DeviceMemory& memory, const Launch& launch,
                const void* const* const arguments) {
  if (launch.threads.size() == 0 || launch.threads.size() > 1024) throw Error("a block of 1 to 1024 threads, please");
  for (std::size_t i = 0; i < program.parameter_offsets.size(); ++i)
    std::memcpy(program.parameters.data() + program.parameter_offsets[i], arguments[i], program.parameter_sizes[i]);
  Block block(program, memory, launch.threads, launch.grid, launch.dynamic_shared);
  for (unsigned z = 0; z < launch.grid.z; ++z)
    for (unsigned y = 0; y < launch.grid.y; ++y)
      for (unsigned x = 0; x < launch.grid.x; ++x) block.run({x, y, z});
}

}  // namespace bcr::test::ptx
