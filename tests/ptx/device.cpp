#include "tests/ptx/device.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

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

namespace {

void set_arguments(Program& program, const Launch& launch, const void* const* const arguments) {
  if (launch.threads.size() == 0 || launch.threads.size() > 1024) throw Error("a block of 1 to 1024 threads, please");
  for (std::size_t i = 0; i < program.parameter_offsets.size(); ++i)
    std::memcpy(program.parameters.data() + program.parameter_offsets[i], arguments[i], program.parameter_sizes[i]);
}

/// Places first, ..., last - 1 of the grid, x fastest.
void run_blocks(Block& block, const Extent grid, const std::size_t first, const std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    block.run({unsigned(i % grid.x), unsigned(i / grid.x % grid.y), unsigned(i / grid.x / grid.y)});
}

/// Different sectors of the whole grid, from those of some runs of blocks one after the other.
std::uint64_t scaled(std::vector<std::uint64_t> sectors, const double factor) {
  std::sort(sectors.begin(), sectors.end());
  std::size_t common = 0;
  std::size_t own = 0;
  for (std::size_t i = 0; i < sectors.size();) {
    std::size_t end = i + 1;
    while (end < sectors.size() && sectors[end] == sectors[i]) ++end;
    ++(end - i > 1 ? common : own);
    i = end;
  }
  return common + static_cast<std::uint64_t>(std::llround(factor * static_cast<double>(own)));
}

}  // namespace

void run_kernel(Program& program, const DeviceMemory& memory, const Launch& launch,
                const void* const* const arguments) {
  set_arguments(program, launch, arguments);
  Block block(program, memory, launch.threads, launch.grid, launch.dynamic_shared);
  run_blocks(block, launch.grid, 0, launch.grid.size());
}

Counts count_kernel(Program& program, const DeviceMemory& memory, const Launch& launch,
                    const void* const* const arguments, const std::size_t most_blocks) {
  set_arguments(program, launch, arguments);
  Counter counter;
  Block block(program, memory, launch.threads, launch.grid, launch.dynamic_shared, &counter);
  const std::size_t all = launch.grid.size();
  const std::size_t runs = all <= most_blocks ? 1 : 4;
  const std::size_t length = runs == 1 ? all : std::max<std::size_t>(1, most_blocks / runs);
  std::vector<std::uint64_t> reads;
  std::vector<std::uint64_t> writes;
  for (std::size_t i = 0; i < runs; ++i) {
    const std::size_t first = runs == 1 ? 0 : std::min((2 * i + 1) * all / (2 * runs), all - length);
    run_blocks(block, launch.grid, first, first + length);
    const auto read = counter.take_read_sectors();
    const auto written = counter.take_written_sectors();
    reads.insert(reads.end(), read.begin(), read.end());
    writes.insert(writes.end(), written.begin(), written.end());
  }
  Counts counts = counter.counts();
  const double factor = static_cast<double>(all) / static_cast<double>(counts.blocks);
  counts.launch_read_sectors = scaled(std::move(reads), factor);
  counts.launch_write_sectors = scaled(std::move(writes), factor);
  return counts;
}

}  // namespace bcr::test::ptx
