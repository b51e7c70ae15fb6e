#ifndef BCR_TESTS_PTX_COUNTER_HPP
#define BCR_TESTS_PTX_COUNTER_HPP

#include "tests/ptx/counts.hpp"
#include "tests/ptx/program.hpp"

#include <cstdint>
#include <vector>

namespace bcr::test::ptx {

/// Counts what a block does while it runs.
class Counter {
 public:
  /// Before the step is done: a load may overwrite its own address.
  void count(const Step& step, Warp& warp, Mask lanes_that_act);
  void count_barrier() { ++counts_.barriers; }
  void end_block(const std::vector<Warp>& warps);

  const Counts& counts() const { return counts_; }
  /// Sectors that the blocks since the last call read and wrote, each once, in ascending order.
  std::vector<std::uint64_t> take_read_sectors() { return take(run_reads_); }
  std::vector<std::uint64_t> take_written_sectors() { return take(run_writes_); }

 private:
  void count_memory(const Step& step, Warp& warp, Mask mask);
  void count_shared(const Step& step, const std::vector<std::uint64_t>& addresses);
  void count_global(const Step& step, const std::vector<std::uint64_t>& addresses);
  static std::vector<std::uint64_t> take(std::vector<std::uint64_t>& sectors);

  Counts counts_;
  std::vector<std::uint64_t> reads_, writes_;          ///< sectors of this block, with repetitions
  std::vector<std::uint64_t> run_reads_, run_writes_;  ///< of the blocks before, not yet taken
  std::vector<std::uint64_t> addresses_, words_;
};

}  // namespace bcr::test::ptx

#endif
