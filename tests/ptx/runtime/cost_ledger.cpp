#include "tests/ptx/runtime/cost_ledger.hpp"

#include <cstring>
#include <fstream>
#include <utility>

namespace bcr::test::ptx {

double CostLedger::Row::whole(const std::uint64_t count) const {
  return static_cast<double>(count) * static_cast<double>(launch.grid.size()) / static_cast<double>(counts.blocks);
}

CostLedger& CostLedger::instance() {
  static CostLedger ledger;
  return ledger;
}

void CostLedger::sample(const std::size_t most_blocks) {
  most_blocks_ = most_blocks;
  LoadedProgram::instance().memory.leave_unfilled();
}

/// The arguments with pointers taken out, but for where in a sector they lie. A number that looks like a pointer would
/// have to be of terabytes.
std::string CostLedger::key_of(const Program& program, const Launch& launch, const void* const* const arguments) const {
  std::string key = label_ + '/' + program.name;
  const auto append = [&](const std::uint64_t word) { key.append(reinterpret_cast<const char*>(&word), sizeof(word)); };
  for (const Extent& extent : {launch.grid, launch.threads})
    for (const std::uint64_t size : {extent.x, extent.y, extent.z}) append(size);
  append(launch.dynamic_shared);
  for (std::size_t i = 0; i < program.parameter_sizes.size(); ++i) {
    const auto* const bytes = static_cast<const char*>(arguments[i]);
    for (std::size_t at = 0; at < program.parameter_sizes[i]; at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at, std::min(sizeof(word), program.parameter_sizes[i] - at));
      const bool is_pointer = word >> 40 != 0 && word >> 48 == 0;
      append(is_pointer ? word % 32 : word);
    }
  }
  return key;
}

void CostLedger::launch(LoadedProgram& program, const void* const stub, const Launch& launch,
                        const void* const* const arguments) {
  Program& kernel = program.kernel(stub);
  const std::string key = key_of(kernel, launch, arguments);
  const auto known = row_of_.find(key);
  if (is_open_ && known != row_of_.end()) {
    ++rows_[known->second].launches;
    return;
  }
  const Counts counts = count_kernel(kernel, program.memory, launch, arguments, most_blocks_);
  if (!is_open_) return;
  row_of_[key] = rows_.size();
  rows_.push_back({label_, kernel.name, program.text_around(stub), launch, kernel.shared_size, 1, counts});
}

void CostLedger::fill(const std::size_t bytes) {
  if (!is_open_) return;
  Counts counts{.blocks = 1};
  counts.block_write_sectors = counts.launch_write_sectors = bytes / 32;
  rows_.push_back({label_, "cudaMemset", {}, {.grid = {1}, .threads = {256}, .dynamic_shared = 0}, 0, 1, counts});
}

std::vector<CostLedger::Row> CostLedger::take_rows() {
  row_of_.clear();
  return std::exchange(rows_, {});
}

void CostLedger::write(const std::filesystem::path& folder) const {
  std::filesystem::create_directories(folder);
  std::map<const char*, std::size_t> units;
  std::ofstream table(folder / "launches.csv");
  table << "label,kernel,unit,launches,blocks,threads,static_shared,dynamic_shared";
  Counts names;
  for_each_count(names, [&](const char* const name, std::uint64_t) { table << ',' << name; });
  table << '\n';
  for (const Row& row : rows_) {
    std::string unit;
    if (!row.text.empty()) {
      const auto [place, is_new] = units.try_emplace(row.text.data(), units.size());
      unit = "unit-" + std::to_string(place->second) + ".ptx";
      if (is_new) std::ofstream(folder / unit) << row.text;
    }
    table << '"' << row.label << "\"," << row.kernel << ',' << unit << ',' << row.launches << ','
          << row.launch.grid.size() << ',' << row.launch.threads.size() << ',' << row.static_shared << ','
          << row.launch.dynamic_shared;
    Counts counts = row.counts;
    for_each_count(counts, [&](const char*, const std::uint64_t value) { table << ',' << value; });
    table << '\n';
  }
}

}  // namespace bcr::test::ptx
