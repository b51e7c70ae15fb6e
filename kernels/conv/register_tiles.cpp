#include "kernels/conv/register_tiles.hpp"

#include <algorithm>

namespace bcr::kernels::impl {
namespace {

/// P * B blocks of accumulators stay in registers; per channel: B blocks of weights, P broadcasts, P * B fma.
template <int P, int B, class T>
void gather(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  constexpr int lanes = channel_block<T>;
  const std::ptrdiff_t next = block.next_weights;
  const std::ptrdiff_t place[3] = {0, lanes, std::ptrdiff_t(block.third_dst) * lanes};
  Lanes<T> sum[P][B];
  if (block.start == ChainStart::zero) {
    unroll<P>([&](const auto p) { unroll<B>([&](const auto b) { sum[p][b] = Lanes<T>::zero(); }); });
  } else {
    unroll<P>([&](const auto p) {
      unroll<B>([&](const auto b) { sum[p][b] = Lanes<T>::load(tile.dst[p] + place[b]); });
    });
  }
  for (int t = 0; t < taps.size; ++t) {
    const T* weights = block.weights + taps.tap[t].weights;
    const T* src[P];
    unroll<P>([&](const auto p) { src[p] = tile.src[p] + taps.tap[t].src; });
    for (int c = 0; c < block.src_channels; ++c) {
      Lanes<T> row[B];
      unroll<B>([&](const auto b) { row[b] = Lanes<T>::load(weights + b * next); });
      weights += lanes;
      unroll<P>([&](const auto p) {
        const T factor = src[p][c];
        unroll<B>([&](const auto b) { sum[p][b].add_product(factor, row[b]); });
      });
    }
  }
  unroll<P>([&](const auto p) { unroll<B>([&](const auto b) { sum[p][b].store(tile.dst[p] + place[b]); }); });
}

template <int P, int B, class T>
void gather_up_to(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  if constexpr (P > 1) {
    if (tile.size < P) return gather_up_to<P - 1, B>(tile, taps, block);
  }
  gather<P, B>(tile, taps, block);
}

/// Blocks at the end of the channels, and chains that start from the bias, go by way of full rows.
template <class T>
void gather_by_buffer(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  alignas(64) T buffer[tile_rows][channel_block<T>] = {};
  PixelTile<T> rows = tile;
  for (int p = 0; p < tile.size; ++p) {
    rows.dst[p] = buffer[p];
    if (block.start == ChainStart::zero) continue;
    const T* const from = block.start == ChainStart::bias ? block.bias : tile.dst[p];
    for (int i = 0; i < block.dst_channels; ++i) buffer[p][i] = from[i];
  }
  ChannelBlock<T> full = block;
  full.start = ChainStart::dst;
  gather_up_to<tile_rows, 1>(rows, taps, full);
  for (int p = 0; p < tile.size; ++p)
    for (int i = 0; i < block.dst_channels; ++i) tile.dst[p][i] = buffer[p][i];
}

template <class T>
void gather_block(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  if (block.dst_channels < channel_block<T> || block.start == ChainStart::bias)
    return gather_by_buffer(tile, taps, block);
  gather_up_to<tile_rows, 1>(tile, taps, block);
}

}  // namespace

template <class T>
void gather_tile(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  constexpr int lanes = channel_block<T>;
  if (tile.size == 0) return;
  if constexpr (tile_blocks > 1) {
    if (block.start != ChainStart::bias && block.dst_channels == 2 * lanes)
      return gather_up_to<tile_rows, 2>(tile, taps, block);
    if (block.start != ChainStart::bias && block.dst_channels == 3 * lanes)
      return gather_up_to<tile_rows_of(3), 3>(tile, taps, block);
  }
  PixelTile<T> rows = tile;
  ChannelBlock<T> one = block;
  for (int b = 0; b * lanes < block.dst_channels; ++b) {
    one.dst_channels = std::min(lanes, block.dst_channels - b * lanes);
    one.weights = block.weights + b * block.next_weights;
    if (block.start == ChainStart::bias) one.bias = block.bias + b * lanes;
    for (int p = 0; p < tile.size; ++p) rows.dst[p] = tile.dst[p] + (b == 2 ? block.third_dst : b) * lanes;
    gather_block(rows, taps, one);
  }
}

template void gather_tile<float>(const PixelTile<float>&, const TapList&, const ChannelBlock<float>&);
template void gather_tile<double>(const PixelTile<double>&, const TapList&, const ChannelBlock<double>&);

namespace {

/// R * B blocks of accumulators stay in registers; per pixel: B blocks of diff_dst, R broadcasts, R * B fma.
template <int R, int B, class T>
class WeightsTile {
 public:
  explicit WeightsTile(const SumsTile<T>& tile) : tile_(tile) {
    unroll<R>([&](const auto r) __attribute__((always_inline)) {
      unroll<B>([&](const auto b) __attribute__((always_inline)) { sum_[r][b] = Lanes<T>::load(place(r, b)); });
    });
  }

  [[gnu::always_inline]] void add(const T* src, const T* diff_dst, const int size, const std::ptrdiff_t src_step) {
    for (int p = 0; p < size; ++p) {
      Lanes<T> row[B];
      unroll<B>([&](const auto b) __attribute__((always_inline)) {
        row[b] = Lanes<T>::load(diff_dst + b * channel_block<T>);
      });
      unroll<R>([&](const auto r) __attribute__((always_inline)) {
        const T factor = src[r];
        unroll<B>([&](const auto b) __attribute__((always_inline)) { sum_[r][b].add_product(factor, row[b]); });
      });
      src += src_step;
      diff_dst += B * channel_block<T>;
    }
  }

  void store() const {
    unroll<R>([&](const auto r) __attribute__((always_inline)) {
      unroll<B>([&](const auto b) __attribute__((always_inline)) { sum_[r][b].store(place(r, b)); });
    });
  }

 private:
  T* place(const int r, const int b) const { return tile_.sums + b * tile_.next_sums + r * channel_block<T>; }

  SumsTile<T> tile_;
  Lanes<T> sum_[R][B];
};

template <int R, int B, class T>
void add_rows(const PixelRun<T>* const runs, const int run_count, const int first_channel,
              const std::ptrdiff_t src_step, const SumsTile<T>& sums) {
  WeightsTile<R, B, T> tile(sums);
  for (int run = 0; run < run_count; ++run)
    tile.add(runs[run].src + first_channel, runs[run].diff_dst, runs[run].size, src_step);
  tile.store();
}

/// The same for one run. Without the loop over runs the compiler keeps the accumulators out of the stack.
template <int R, int B, class T>
void add_run(const PixelRun<T>& run, const std::ptrdiff_t src_step, const SumsTile<T>& sums) {
  WeightsTile<R, B, T> tile(sums);
  tile.add(run.src, run.diff_dst, run.size, src_step);
  tile.store();
}

template <int R, int B, class T>
void add_up_to(const PixelRun<T>* const runs, const int run_count, const int first_channel,
               const std::ptrdiff_t src_step, const SumsTile<T>& tile) {
  if constexpr (R > 1) {
    if (tile.size < R) return add_up_to<R - 1, B>(runs, run_count, first_channel, src_step, tile);
  }
  if (run_count == 1)
    return add_run<R, B, T>({runs->src + first_channel, runs->diff_dst, runs->size}, src_step, tile);
  add_rows<R, B>(runs, run_count, first_channel, src_step, tile);
}

}  // namespace

template <class T>
void add_to_weights_tile(const PixelRun<T>* const runs, const int run_count, const int first_channel,
                         const std::ptrdiff_t src_step, const SumsTile<T>& tile) {
  if (tile.blocks == 1) return add_up_to<tile_rows, 1>(runs, run_count, first_channel, src_step, tile);
  add_up_to<tile_rows, tile_blocks>(runs, run_count, first_channel, src_step, tile);
}

template void add_to_weights_tile<float>(const PixelRun<float>*, int, int, std::ptrdiff_t, const SumsTile<float>&);
template void add_to_weights_tile<double>(const PixelRun<double>*, int, int, std::ptrdiff_t, const SumsTile<double>&);

}  // namespace bcr::kernels::impl
