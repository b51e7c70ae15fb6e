#ifndef BCR_TESTS_PTX_COUNTS_HPP
#define BCR_TESTS_PTX_COUNTS_HPP

#include <cstdint>

namespace bcr::test::ptx {

/// What blocks did, in the units that decide how long a device takes (docs/gpu_cost.md). An instruction is one of a warp;
/// where lanes are meant it says so.
struct Counts {
  std::uint64_t blocks = 0;  ///< that were run
  std::uint64_t instructions = 0;  ///< about as many as ptxas makes (slots_of)
  std::uint64_t longest_warp = 0;  ///< instructions of the busiest warp of any block
  std::uint64_t longest_loads = 0;  ///< of global memory by one warp of any block
  std::uint64_t fma32_lanes = 0;
  std::uint64_t fma64_lanes = 0;
  std::uint64_t float32 = 0;  ///< fma, add, sub, mul, min, max, ...
  std::uint64_t float64 = 0;
  std::uint64_t root32 = 0;  ///< div, sqrt, rcp
  std::uint64_t root64 = 0;
  std::uint64_t global_loads = 0;
  std::uint64_t global_load_sectors = 0;  ///< of 32 bytes that a load touches, summed over loads
  std::uint64_t global_load_bytes = 0;    ///< that its lanes asked for
  std::uint64_t global_stores = 0;        ///< and atomics
  std::uint64_t global_store_sectors = 0;
  std::uint64_t global_store_bytes = 0;
  std::uint64_t block_read_sectors = 0;  ///< different ones, of one block after the other
  std::uint64_t block_write_sectors = 0;
  std::uint64_t shared_loads = 0;
  std::uint64_t shared_load_passes = 0;        ///< over the 32 banks
  std::uint64_t shared_load_least_passes = 0;  ///< had there been no conflict
  std::uint64_t shared_stores = 0;
  std::uint64_t shared_store_passes = 0;
  std::uint64_t shared_store_least_passes = 0;
  std::uint64_t local_accesses = 0;  ///< stack and spills that PTX shows
  std::uint64_t shuffles = 0;        ///< and votes
  std::uint64_t barriers = 0;        ///< of a block
  std::uint64_t launch_read_sectors = 0;   ///< different ones of all blocks, scaled to the grid by count_kernel
  std::uint64_t launch_write_sectors = 0;
};

/// Calls use(name, member) for every count, in the order of the table that is written.
template <class Use>
void for_each_count(Counts& counts, const Use& use) {
  use("blocks_run", counts.blocks);
  use("instructions", counts.instructions);
  use("longest_warp", counts.longest_warp);
  use("longest_loads", counts.longest_loads);
  use("fma32_lanes", counts.fma32_lanes);
  use("fma64_lanes", counts.fma64_lanes);
  use("float32", counts.float32);
  use("float64", counts.float64);
  use("root32", counts.root32);
  use("root64", counts.root64);
  use("global_loads", counts.global_loads);
  use("global_load_sectors", counts.global_load_sectors);
  use("global_load_bytes", counts.global_load_bytes);
  use("global_stores", counts.global_stores);
  use("global_store_sectors", counts.global_store_sectors);
  use("global_store_bytes", counts.global_store_bytes);
  use("block_read_sectors", counts.block_read_sectors);
  use("block_write_sectors", counts.block_write_sectors);
  use("shared_loads", counts.shared_loads);
  use("shared_load_passes", counts.shared_load_passes);
  use("shared_load_least_passes", counts.shared_load_least_passes);
  use("shared_stores", counts.shared_stores);
  use("shared_store_passes", counts.shared_store_passes);
  use("shared_store_least_passes", counts.shared_store_least_passes);
  use("local_accesses", counts.local_accesses);
  use("shuffles", counts.shuffles);
  use("barriers", counts.barriers);
  use("launch_read_sectors", counts.launch_read_sectors);
  use("launch_write_sectors", counts.launch_write_sectors);
}

}  // namespace bcr::test::ptx

#endif
