#ifndef BCR_KERNELS_CONV_GATHER_HOST_HPP
#define BCR_KERNELS_CONV_GATHER_HOST_HPP

#include "kernels/conv/gather.hpp"
#include "kernels/conv/register_tiles.hpp"

#include <algorithm>

namespace bcr::kernels::impl {

/// One work item: some images and the blocks of channels of one tile. Not for devices: the tile keeps vectors in registers.
template <class Exec, class T>
class GatherOnHost {
  static constexpr int lanes = channel_block<T>;
  static constexpr int tile_lanes = tile_blocks * lanes;

 public:
  explicit GatherOnHost(const Gather<Exec, T>& gather)
      : gather_(gather),
        images_per_item_(
            std::max(1, pixels_per_item / std::max(1, gather.dst.extent_int(1) * gather.dst.extent_int(2)))),
        blocks_(blocks_of(gather.dst.extent_int(3), tile_lanes)) {}

  int items() const { return blocks_of(gather_.dst.extent_int(0), images_per_item_) * blocks_; }

  void operator()(const int item) const {
    const int block = item % blocks_;
    const int image = item / blocks_ * images_per_item_;
    const int images = std::min(images_per_item_, gather_.dst.extent_int(0) - image);
    for (int r = 0; r < gather_.rows.size; ++r)
      for (int c = 0; c < gather_.columns.size; ++c)
        gather_class(image, images, gather_.rows.segment[r], gather_.columns.segment[c], block);
  }

 private:
  /// Enough images that even the corners of 8 x 8 images fill a tile.
  static constexpr int pixels_per_item = 64 * tile_rows;

  TapList taps_of(const AxisSegment& rows, const AxisSegment& columns) const {
    const std::ptrdiff_t channels = gather_.src.extent_int(3);
    const std::ptrdiff_t row_length = gather_.src.extent_int(2) * channels;
    TapList taps;
    for (int y = 0; y < rows.taps; ++y)
      for (int x = 0; x < columns.taps; ++x) {
        const int kh = rows.tap + y * rows.tap_step;
        const int kw = columns.tap + x * columns.tap_step;
        taps.tap[taps.size++] = {.src = y * rows.src_tap_step * row_length + x * columns.src_tap_step * channels,
                                 .weights = (kh * gather_.kw + kw) * channels * lanes};
      }
    return taps;
  }

  ChannelBlock<T> channel_block_of(const int block) const {
    const int channels = gather_.src.extent_int(3);
    const std::ptrdiff_t block_size = static_cast<std::ptrdiff_t>(gather_.kh) * gather_.kw * channels * lanes;
    return {.weights = gather_.packed.data() + block * tile_blocks * block_size,
            .bias = gather_.bias.data() + (gather_.start == ChainStart::bias ? block * tile_lanes : 0),
            .src_channels = channels,
            .dst_channels = std::min(tile_lanes, gather_.dst.extent_int(3) - block * tile_lanes),
            .start = gather_.start,
            .next_weights = block_size};
  }

  /// All pixels of a row segment and a column segment in `images` images.
  void gather_class(const int image, const int images, const AxisSegment& rows, const AxisSegment& columns,
                    const int block) const {
    const TapList taps = taps_of(rows, columns);
    const ChannelBlock<T> channels = channel_block_of(block);
    PixelTile<T> tile;
    int left = images * rows.count * columns.count;
    int wanted = tile_size(left);
    const bool reads = taps.size > 0 && gather_.src.extent_int(3) > 0;
    for (int n = image; n < image + images; ++n)
      for (int r = 0; r < rows.count; ++r) {
        const T* const src =
            reads ? &gather_.src(n, rows.src + r * rows.src_step, columns.src, 0) : gather_.src.data();
        T* const dst = &gather_.dst(n, rows.first + r * rows.step, columns.first, block * tile_lanes);
        for (int c = 0; c < columns.count; ++c) {
          tile.src[tile.size] = src + static_cast<std::ptrdiff_t>(c) * columns.src_step * gather_.src.extent_int(3);
          tile.dst[tile.size] = dst + static_cast<std::ptrdiff_t>(c) * columns.step * gather_.dst.extent_int(3);
          if (++tile.size < wanted) continue;
          gather_tile(tile, taps, channels);
          if (gather_.epilogue.exists()) finish(tile, block * tile_lanes, channels.dst_channels);
          left -= tile.size;
          tile.size = 0;
          wanted = tile_size(left);
        }
      }
  }

  /// The epilogue of a tile, whose sums are still in the first cache.
  void finish(const PixelTile<T>& tile, const int first, const int channels) const {
    int c = 0;
    for (; c + lanes <= channels; c += lanes) finish_channels<Lanes<T>>(tile, first, c);
    for (; c < channels; ++c) finish_channels<Lane<T>>(tile, first, c);
  }

  template <class Value>
  void finish_channels(const PixelTile<T>& tile, const int first, const int c) const {
    T* const sums = gather_.dst.data();
    const auto end = gather_.epilogue.template of_channel<Value>(first + c);
    for (int p = 0; p < tile.size; ++p) {
      T* const at = tile.dst[p] + c;
      end(Value::load(at), at - sums).store(at);
    }
  }

  Gather<Exec, T> gather_;
  int images_per_item_;
  int blocks_;
};

template <class Exec, class T>
void gather_on_host(const Exec& exec, const std::string& label, const Gather<Exec, T>& gather) {
  const GatherOnHost<Exec, T> functor(gather);
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;
  Kokkos::parallel_for(label, Policy(exec, 0, functor.items(), Kokkos::ChunkSize(1)), functor);
}

}  // namespace bcr::kernels::impl

#endif
