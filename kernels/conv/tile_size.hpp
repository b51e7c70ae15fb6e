#ifndef BCR_KERNELS_CONV_TILE_SIZE_HPP
#define BCR_KERNELS_CONV_TILE_SIZE_HPP

#include "kernels/conv/lanes.hpp"

namespace bcr::kernels::impl {

/// Rows of the next tile when `left` are left: full tiles, except that the last one and a half are halved. Two tiles of
/// 4 rows run faster than one of 6 and one of 2, which has too few independent chains to hide the latency of an fma.
inline int tile_size(const int left) {
  if (left > tile_rows && left <= tile_rows + tile_rows / 2) return (left + 1) / 2;
  return left < tile_rows ? left : tile_rows;
}

}  // namespace bcr::kernels::impl

#endif
