#ifndef BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_SUMS_HPP
#define BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_SUMS_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/winograd_tiles.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

/// The 16 matrices of sums of every chunk of tiles, for `blocks` blocks of output channels from `first_block` on:
///   sums [chunks, blocks, 16, IC, channel_block].
template <class Exec, class T>
struct WinogradWeightsSums {
  int pad;
  ConstTensor4<T, Exec> src;
  ConstTensor4<T, Exec> diff_dst;
  Vector<T, Exec> sums;
  TileGrid grid;
  int tiles_per_chunk;
  int chunks;
  int first_block;
  int blocks;

  /// Where the sums [IC, channel_block] of a chunk, a block and a matrix begin.
  KOKKOS_INLINE_FUNCTION std::size_t offset(const int chunk, const int block, const int matrix) const {
    const std::size_t row = (static_cast<std::size_t>(chunk) * blocks + block) * 16 + matrix;
    return row * src.extent(3) * channel_block<T>;
  }

  /// Tiles of a chunk; the last one may have fewer.
  KOKKOS_INLINE_FUNCTION int tiles_of(const int chunk) const {
    const int left = grid.size() - chunk * tiles_per_chunk;
    return left < tiles_per_chunk ? left : tiles_per_chunk;
  }
};

}  // namespace bcr::kernels::impl

#endif
