#ifndef BCR_KERNELS_RNN_ROW_TILES_HPP
#define BCR_KERNELS_RNN_ROW_TILES_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/register_tiles.hpp"

#include <algorithm>

namespace bcr::kernels::impl {

/// How the rows of a batch are shared out on a host: a work item takes some rows through all steps, so that no thread
/// waits for another between steps. Several tiles of rows read the weights of a block while they are in the nearest
/// cache. As many items for every thread.
struct RowTiles {
  static constexpr int most_rows = 32;

  int rows;
  int rows_per_item;

  RowTiles(const int all_rows, const int threads) : rows(all_rows) {
    const int rounds = blocks_of(rows, threads * most_rows);
    rows_per_item = std::max(1, blocks_of(rows, std::max(1, rounds * threads)));
  }

  int items() const { return blocks_of(rows, rows_per_item); }
  int first(const int item) const { return item * rows_per_item; }
  int last(const int item) const { return std::min(rows, (item + 1) * rows_per_item); }
};

/// What the products of some rows with a matrix add to: neighbouring lanes of dst, those of the third block elsewhere.
struct RowProducts {
  int length;                   ///< of a row
  int columns;                  ///< 1 to 3 blocks
  std::ptrdiff_t next_weights;  ///< from the weights of a block to those of the next
  int third_dst = 2;            ///< counted in blocks
};

/// dst[p][l] = chain of fma from dst[p][l] over d < length of src[p][d] weights[d][l], for l < columns; the weights of
/// a block are [length, channel_block].
template <class T>
void add_row_products(const PixelTile<T>& tile, const T* const weights, const RowProducts& products) {
  TapList one_tap;
  one_tap.tap[one_tap.size++] = {.src = 0, .weights = 0};
  gather_tile(tile, one_tap,
              ChannelBlock<T>{.weights = weights,
                              .bias = nullptr,
                              .src_channels = products.length,
                              .dst_channels = products.columns,
                              .start = ChainStart::dst,
                              .next_weights = products.next_weights,
                              .third_dst = products.third_dst});
}

}  // namespace bcr::kernels::impl

#endif
