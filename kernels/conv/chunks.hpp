#ifndef BCR_KERNELS_CONV_CHUNKS_HPP
#define BCR_KERNELS_CONV_CHUNKS_HPP

#include "kernels/conv/packed_weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace bcr::kernels::impl {

/// How the sums of all chunks are worked on: for `blocks` of the `all_blocks` blocks of output channels at a time.
struct ChunkPasses {
  int chunks;
  int blocks;
  int all_blocks;
  std::size_t block_size;  ///< elements of one block, all chunks

  std::size_t workspace_size() const { return blocks * block_size; }

  /// As many blocks as fit 64 MB of float. `rows`: sums of one chunk and one output channel.
  template <class T>
  static ChunkPasses of(const int chunks, const std::size_t rows, const int outputs) {
    constexpr std::size_t budget = std::size_t(1) << 24;
    const int all_blocks = blocks_of(outputs, channel_block<T>);
    const std::size_t block_size = chunks * rows * channel_block<T>;
    const std::size_t fitting = std::min<std::size_t>(budget / std::max<std::size_t>(1, block_size), all_blocks);
    return {chunks, std::max(1, static_cast<int>(fitting)), all_blocks, block_size};
  }
};

/// Joins `count` <= width neighbouring sums of the chunks at from, from + step, ... by the binary tree of the chunks'
/// numbers: (0 + 1), (2 + 3), ..., then these pairwise, and so on; a last one without a partner moves up as it is. No
/// chunks: 0.
template <int width, class T>
KOKKOS_FUNCTION void join_chunks(const T* from, const std::size_t step, const int chunks, const int count,
                                 T (&sum)[width]) {
  T level[32][width];
  for (int i = 0; i < count; ++i) sum[i] = T(0);
  for (int chunk = 0; chunk < chunks; ++chunk, from += step) {
    for (int i = 0; i < count; ++i) sum[i] = from[i];
    int top = 0;
    for (; (chunk >> top) & 1; ++top)  // the chunk completes as many pairs as its number ends in ones
      for (int i = 0; i < count; ++i) sum[i] = level[top][i] + sum[i];
    for (int i = 0; i < count; ++i) level[top][i] = sum[i];
  }
  int top = 0;
  while (top < 31 && !((chunks >> top) & 1)) ++top;
  if (chunks > 0)
    for (int i = 0; i < count; ++i) sum[i] = level[top][i];
  for (++top; top < 31; ++top)  // incomplete pairs, from the last chunk upwards
    if ((chunks >> top) & 1)
      for (int i = 0; i < count; ++i) sum[i] = level[top][i] + sum[i];
}

}  // namespace bcr::kernels::impl

#endif
