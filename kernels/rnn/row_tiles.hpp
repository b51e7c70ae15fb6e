#ifndef BCR_KERNELS_RNN_ROW_TILES_HPP
#define BCR_KERNELS_RNN_ROW_TILES_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/register_tiles.hpp"

#include <algorithm>

namespace bcr::kernels::impl {

/// How the rows of a batch are shared out on a host: a work item takes some rows through all steps, so that no thread
/// waits for another between steps, and its rows fill the registers of gather_tile. As many items for every thread.
struct RowTiles {
  int rows;
  int rows_per_item;

  RowTiles(const int all_rows, const int threads) : rows(all_rows) {
    const int rounds = blocks_of(rows, threads * tile_rows);
    rows_per_item = std::max(1, blocks_of(rows, std::max(1, rounds * threads)));
  }

  int items() const { return blocks_of(rows, rows_per_item); }
  int first(const int item) const { return item * rows_per_item; }
  int last(const int item) const { return std::min(rows, (item + 1) * rows_per_item); }
};

/// dst[p][l] = chain of fma from dst[p][l] over d < length of src[p][d] weights[d][l], for l < lanes.
template <class T>
void add_row_products(const PixelTile<T>& tile, const T* const weights, const int length,
                      const int lanes = channel_block<T>) {
  TapList one_tap;
  one_tap.tap[one_tap.size++] = {.src = 0, .weights = 0};
  gather_tile(tile, one_tap,
              ChannelBlock<T>{.weights = weights,
                              .bias = nullptr,
                              .src_channels = length,
                              .dst_channels = lanes,
                              .start = ChainStart::dst});
}

}  // namespace bcr::kernels::impl

#endif
