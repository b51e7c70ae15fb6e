#ifndef BCR_KERNELS_CONV_REGISTER_TILES_HPP
#define BCR_KERNELS_CONV_REGISTER_TILES_HPP

#include "kernels/conv/lanes.hpp"
#include "kernels/conv/window.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

/// Rows of the next tile when `left` are left: full tiles, except that the last one and a half are halved. Two tiles of
/// 4 rows run faster than one of 6 and one of 2, which has too few independent chains to hide the latency of an fma.
inline int tile_size(const int left) {
  if (left > tile_rows && left <= tile_rows + tile_rows / 2) return (left + 1) / 2;
  return left < tile_rows ? left : tile_rows;
}

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

/// Neighbouring output pixels of one row, all inside the image for one tap.
template <class T>
struct PixelRun {
  const T* src;       ///< what the tap reads for the first pixel
  const T* diff_dst;  ///< [size, channel_block]
  int size;
};

/// sums[i][l] = fma(src[i], diff_dst[l], sums[i][l]) for every pixel of every run in turn, for i < size input channels;
/// the sources of neighbouring pixels lie src_step elements apart. size: 1 to tile_rows. Host only.
template <class T>
void add_to_weights_tile(const PixelRun<T>* runs, int run_count, int first_channel, int size, std::ptrdiff_t src_step,
                         T* sums);

}  // namespace bcr::kernels::impl

#endif
