#ifndef BCR_TESTS_PTX_BLOCK_HPP
#define BCR_TESTS_PTX_BLOCK_HPP

#include "tests/ptx/counter.hpp"

#include <vector>

namespace bcr::test::ptx {

struct Extent {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
  std::size_t size() const { return std::size_t(x) * y * z; }
};

/// A block of threads, reused for one place of the grid after the other.
///
/// Lanes of a warp run together: of those that can run, the ones with the lowest program counter take the next step, so
/// that the two sides of a branch meet again where it ends. At a barrier lanes wait until every thread of the block
/// that has not ended is there; at a shuffle or vote, until every named lane is. Warps run one after the other, each
/// until it must wait. Nobody left to run, and somebody still waiting: an error.
class Block {
 public:
  /// With a counter, what the block does is counted.
  Block(const Program& program, const DeviceMemory& memory, Extent threads, Extent grid, std::size_t dynamic_shared,
        Counter* counter = nullptr);

  void run(Extent place);

 private:
  void start(Warp& warp, std::size_t first_thread, Extent place);
  void set_special(Warp& warp, const char* name, std::uint64_t value);
  /// Until no lane of the warp can run; true if any did.
  bool advance(Warp& warp);
  /// Runs the lanes with the lowest program counter until they part, wait or meet others.
  void run_group(Warp& warp);
  /// The program counter after the flow instruction at pc for a group of lanes; -1 if the group is no longer one.
  int follow(Warp& warp, const Step& step, int pc, Mask group, Mask guarded);
  int branch(Warp& warp, const Step& step, int pc, Mask group, Mask taken);
  int end_or_return(Warp& warp, const Step& step, int pc, Mask group, Mask taken);
  int meet(Warp& warp, const Step& step, int pc, Mask group, Mask guarded);
  void release_barrier();
  void reduce_at_barrier();

  const Program& program_;
  Extent threads_;
  Extent grid_;
  Counter* counter_;
  std::vector<Warp> warps_;
  std::vector<std::byte> shared_;
};

}  // namespace bcr::test::ptx

#endif
