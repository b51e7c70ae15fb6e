#ifndef BCR_KERNELS_CONV_GATHER_TILE_HPP
#define BCR_KERNELS_CONV_GATHER_TILE_HPP

#include "kernels/conv/lanes.hpp"
#include "kernels/conv/window.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

/// One tap: where it reads, counted from a pixel's first tap, and where its weights [C, channel_block] begin.
struct Tap {
  std::ptrdiff_t src;
  std::ptrdiff_t weights;
};

/// Pixels that meet the same taps.
template <class T>
struct PixelTile {
  const T* src[tile_rows];
  T* dst[tile_rows];
  int size = 0;
};

/// The taps of a tile, in the order of the chain.
struct TapList {
  Tap tap[49];
  int size = 0;
};

/// What is the same for all tiles of a channel block.
template <class T>
struct ChannelBlock {
  const T* weights;  ///< [taps, src_channels, channel_block]
  const T* bias;     ///< read if start is bias
  int src_channels;
  int dst_channels;  ///< 1 to channel_block<T>
  ChainStart start;
};

/// dst[p][l] = chain of fma over taps t, then channels c, of src[p][t, c] * weights[t][c][l]; host only.
template <class T>
void gather_tile(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block);

}  // namespace bcr::kernels::impl

#endif
