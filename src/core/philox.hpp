#ifndef BCR_SRC_CORE_PHILOX_HPP
#define BCR_SRC_CORE_PHILOX_HPP

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace bcr {

using PhiloxCounter = Kokkos::Array<std::uint32_t, 4>;
using PhiloxKey = Kokkos::Array<std::uint32_t, 2>;

/// Philox 4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC 2011): ten rounds turn a
/// counter into four random words. For each key a bijection of the counters, without any state: the same on every
/// device, and any counter may be asked for in any order.
KOKKOS_INLINE_FUNCTION constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  constexpr std::uint64_t multiplier0 = 0xD2511F53;
  constexpr std::uint64_t multiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl0 = 0x9E3779B9;  // golden ratio
  constexpr std::uint32_t weyl1 = 0xBB67AE85;  // sqrt(3) - 1
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = multiplier0 * counter[0];
    const std::uint64_t product1 = multiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key = {key[0] + weyl0, key[1] + weyl1};
  }
  return counter;
}

}  // namespace bcr

#endif
