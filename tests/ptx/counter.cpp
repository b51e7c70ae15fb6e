#include "tests/ptx/counter.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace bcr::test::ptx {
namespace {

constexpr std::uint64_t sector = 32;
constexpr std::uint64_t banks = 32;
constexpr std::uint64_t bank_width = 4;

void make_unique(std::vector<std::uint64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

bool is_inside(const std::uint64_t address, const std::byte* const begin, const std::size_t size) {
  const auto first = reinterpret_cast<std::uint64_t>(begin);
  return address >= first && address < first + size;
}

/// Where a generic access goes is known only now.
Space actual_space(const Step& step, Warp& warp, const int lane, const std::uint64_t address) {
  if (step.space != Space::generic) return step.space;
  if (is_inside(address, warp.shared, warp.shared_size)) return Space::shared;
  if (is_inside(address, warp.local_of(lane), warp.local_size)) return Space::local;
  if (is_inside(address, warp.parameters, warp.parameters_size)) return Space::param;
  return Space::global;
}

}  // namespace

void Counter::count(const Step& step, Warp& warp, const Mask mask) {
  counts_.instructions += step.slots;
  warp.instructions += step.slots;
  const auto acting = static_cast<std::uint64_t>(std::popcount(mask));
  switch (step.work) {
    case Work::fma32:
      counts_.fma32_lanes += acting;
      ++counts_.float32;
      break;
    case Work::fma64:
      counts_.fma64_lanes += acting;
      ++counts_.float64;
      break;
    case Work::float32:
      ++counts_.float32;
      break;
    case Work::float64:
      ++counts_.float64;
      break;
    case Work::root32:
      ++counts_.root32;
      break;
    case Work::root64:
      ++counts_.root64;
      break;
    case Work::load:
    case Work::store:
      if (mask != 0) count_memory(step, warp, mask);
      break;
    case Work::meeting:
      ++counts_.shuffles;
      break;
    case Work::other:
      break;
  }
}

void Counter::count_memory(const Step& step, Warp& warp, const Mask mask) {
  addresses_.clear();
  Space space = step.space;
  for_each_lane(mask, [&](const int lane) {
    const std::uint64_t address = warp.slot(step.src[3])[lane] + step.offset;
    space = actual_space(step, warp, lane, address);
    addresses_.push_back(address);
  });
  if (space == Space::shared) count_shared(step, addresses_);
  if (space == Space::global) count_global(step, addresses_);
  if (space == Space::global && step.work == Work::load) ++warp.loads;
  // Parameters of calls live there too; they are registers on a device.
  if (space == Space::local && !step.is_parameter) ++counts_.local_accesses;
}

/// A pass serves every bank once, whoever reads the word. Accesses of 8 bytes are done for half of a warp at a time, of
/// 16 bytes for a quarter (CUDA C++ programming guide, shared memory).
void Counter::count_shared(const Step& step, const std::vector<std::uint64_t>& addresses) {
  const std::uint64_t size = step.element_size * std::uint64_t(step.count);
  const std::size_t together = lanes / std::max<std::uint64_t>(1, size / bank_width);
  std::uint64_t passes = 0;
  std::uint64_t least = 0;
  for (std::size_t first = 0; first < addresses.size(); first += together) {
    words_.clear();
    for (std::size_t i = first; i < std::min(first + together, addresses.size()); ++i)
      for (std::uint64_t byte = 0; byte < size; byte += bank_width) words_.push_back((addresses[i] + byte) / bank_width);
    make_unique(words_);
    std::array<std::uint64_t, banks> in_bank{};
    for (const auto word : words_) ++in_bank[word % banks];
    passes += *std::max_element(in_bank.begin(), in_bank.end());
    ++least;
  }
  const bool is_load = step.work == Work::load;
  ++(is_load ? counts_.shared_loads : counts_.shared_stores);
  (is_load ? counts_.shared_load_passes : counts_.shared_store_passes) += passes;
  (is_load ? counts_.shared_load_least_passes : counts_.shared_store_least_passes) += least;
}

void Counter::count_global(const Step& step, const std::vector<std::uint64_t>& addresses) {
  const std::uint64_t size = step.element_size * std::uint64_t(step.count);
  words_.clear();
  for (const auto address : addresses) words_.push_back(address / sector);  // aligned to its size: within one sector
  make_unique(words_);
  const bool is_load = step.work == Work::load;
  ++(is_load ? counts_.global_loads : counts_.global_stores);
  (is_load ? counts_.global_load_sectors : counts_.global_store_sectors) += words_.size();
  (is_load ? counts_.global_load_bytes : counts_.global_store_bytes) += size * addresses.size();
  auto& touched = is_load ? reads_ : writes_;
  touched.insert(touched.end(), words_.begin(), words_.end());
  if (touched.size() > (std::size_t{1} << 22)) make_unique(touched);
}

void Counter::end_block(const std::vector<Warp>& warps) {
  ++counts_.blocks;
  for (const auto& warp : warps) {
    counts_.longest_warp = std::max(counts_.longest_warp, warp.instructions);
    counts_.longest_loads = std::max(counts_.longest_loads, warp.loads);
  }
  make_unique(reads_);
  make_unique(writes_);
  counts_.block_read_sectors += reads_.size();
  counts_.block_write_sectors += writes_.size();
  run_reads_.insert(run_reads_.end(), reads_.begin(), reads_.end());
  run_writes_.insert(run_writes_.end(), writes_.begin(), writes_.end());
  reads_.clear();
  writes_.clear();
}

std::vector<std::uint64_t> Counter::take(std::vector<std::uint64_t>& sectors) {
  make_unique(sectors);
  return std::exchange(sectors, {});
}

}  // namespace bcr::test::ptx
