#ifndef BCR_TESTS_PTX_ADDRESS_HPP
#define BCR_TESTS_PTX_ADDRESS_HPP

#include "tests/ptx/decoding.hpp"

#include <cstddef>

namespace bcr::test::ptx {

/// Reads the address operand and the state space of a memory instruction into the step (src[3], offset, space).
void take_address(Decoding& decoding, const Operand& operand);

/// The modifiers that order memory accesses and hint at caches. Lanes and blocks run one after the other here, so that
/// every access is seen by all later ones, and none of them changes a result.
void take_memory_order(Decoding& decoding);

/// Where an access of `size` bytes goes, in the process. Throws Error outside the memory that the lane may touch.
std::byte* place_of(const Step& step, Warp& warp, int lane, std::size_t size);

}  // namespace bcr::test::ptx

#endif
