#ifndef BCR_KERNELS_CONV_REGISTER_TILES_HPP
#define BCR_KERNELS_CONV_REGISTER_TILES_HPP

#include "kernels/conv/lanes.hpp"
#include "kernels/conv/window.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

/// Rows of the next tile when `left` are left: full tiles of `most`, except that the last one and a half are halved. Two
/// tiles of 4 rows run faster than one of 6 and one of 2, which has too few independent chains to hide the latency of an
/// fma.
inline int tile_size(const int left, const int most = tile_rows) {
  if (left > most && left <= most + most / 2) return (left + 1) / 2;
  return left < most ? left : most;
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

/// What is the same for all tiles of a channel block, or of up to three side by side.
template <class T>
struct ChannelBlock {
  const T* weights;  ///< [taps, src_channels, channel_block]
  const T* bias;     ///< read if start is bias
  int src_channels;
  int dst_channels;  ///< 1 to 3 channel_block<T>
  ChainStart start;
  std::ptrdiff_t next_weights = 0;  ///< from the weights of a block to those of the next
  int third_dst = 2;                ///< where in dst the third block lies, counted in blocks
};

/// dst[p][l] = chain of fma over taps t, then channels c, of src[p][t, c] * weights[t][c][l]. Three blocks take tiles of
/// up to tile_rows_of(3) pixels. Host only.
template <class T>
void gather_tile(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block);

/// Neighbouring output pixels of one row, all inside the image for one tap.
template <class T>
struct PixelRun {
  const T* src;       ///< what the tap reads for the first pixel
  const T* diff_dst;  ///< [size, blocks, channel_block]
  int size;
};

/// The sums that a tile adds to: of one block of output channels, or of two.
template <class T>
struct SumsTile {
  T* sums;  ///< [size, channel_block]
  int size;  ///< input channels, 1 to tile_rows
  int blocks = 1;
  std::ptrdiff_t next_sums = 0;  ///< from those of the first block to those of the second
};

/// sums[i][l] = fma(src[i], diff_dst[l], sums[i][l]) for every pixel of every run in turn, for i < size input channels;
/// the sources of neighbouring pixels lie src_step elements apart. Host only.
template <class T>
void add_to_weights_tile(const PixelRun<T>* runs, int run_count, int first_channel, std::ptrdiff_t src_step,
                         const SumsTile<T>& tile);

}  // namespace bcr::kernels::impl

#endif
