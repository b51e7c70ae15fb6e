#ifndef BCR_TESTS_PTX_WARP_HPP
#define BCR_TESTS_PTX_WARP_HPP

#include "tests/ptx/memory.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bcr::test::ptx {

inline constexpr int lanes = 32;
using Mask = std::uint32_t;
inline constexpr Mask all_lanes = 0xffffffffu;

/// Calls use(lane) for the lanes of a mask; the usual case, all of them, is a loop the compiler can vectorise.
template <class Use>
void for_each_lane(Mask mask, const Use& use) {
  if (mask == all_lanes) {
    for (int lane = 0; lane < lanes; ++lane) use(lane);
    return;
  }
  for (; mask != 0; mask &= mask - 1) use(std::countr_zero(mask));
}

struct Step;

/// 32 lanes with one register file. A slot is one register of every lane; constants and %tid and its like are slots
/// too, so that an instruction knows only slots.
struct Warp {
  std::vector<std::uint64_t> registers;
  std::array<int, lanes> pc{};
  Mask runnable = 0;
  Mask at_barrier = 0;  ///< wait for the block
  Mask parked = 0;      ///< wait for other lanes of the warp at a shuffle or vote

  std::vector<std::byte> local;  ///< of all lanes, one after the other
  std::size_t local_size = 0;    ///< of one lane
  std::byte* shared = nullptr;
  std::size_t shared_size = 0;
  const std::byte* parameters = nullptr;  ///< of the kernel
  std::size_t parameters_size = 0;
  const DeviceMemory* memory = nullptr;
  const Step* barrier = nullptr;  ///< where the lanes at_barrier wait
  std::uint64_t instructions = 0;  ///< of this block, if they are counted
  std::uint64_t loads = 0;         ///< of global memory

  std::uint64_t* slot(const int index) { return registers.data() + std::size_t(index) * lanes; }
  Mask alive() const { return runnable | at_barrier | parked; }
  std::byte* local_of(const int lane) { return local.data() + std::size_t(lane) * local_size; }
};

}  // namespace bcr::test::ptx

#endif
