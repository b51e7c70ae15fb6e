#ifndef BCR_KERNELS_CONV_CHUNK_PASSES_HPP
#define BCR_KERNELS_CONV_CHUNK_PASSES_HPP

#include "kernels/conv/packed_weights.hpp"

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

}  // namespace bcr::kernels::impl

#endif
