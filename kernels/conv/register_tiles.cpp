#include "kernels/conv/register_tiles.hpp"

namespace bcr::kernels::impl {
namespace {

/// P * channel_block accumulators stay in registers; per channel: one block of weights, P broadcasts, P fma.
template <int P, class T>
void gather(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  Lanes<T> sum[P];
  if (block.start == ChainStart::zero) {
    unroll<P>([&](const auto p) { sum[p] = Lanes<T>::zero(); });
  } else {
    unroll<P>([&](const auto p) { sum[p] = Lanes<T>::load(tile.dst[p]); });
  }
  for (int t = 0; t < taps.size; ++t) {
    const T* weights = block.weights + taps.tap[t].weights;
    const T* src[P];
    unroll<P>([&](const auto p) { src[p] = tile.src[p] + taps.tap[t].src; });
    for (int c = 0; c < block.src_channels; ++c) {
      const auto lanes = Lanes<T>::load(weights);
      weights += channel_block<T>;
      unroll<P>([&](const auto p) { sum[p].add_product(src[p][c], lanes); });
    }
  }
  unroll<P>([&](const auto p) { sum[p].store(tile.dst[p]); });
}

template <int P, class T>
void gather_up_to(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  if constexpr (P > 1) {
    if (tile.size < P) return gather_up_to<P - 1>(tile, taps, block);
  }
  gather<P>(tile, taps, block);
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
  gather_up_to<tile_rows>(rows, taps, full);
  for (int p = 0; p < tile.size; ++p)
    for (int i = 0; i < block.dst_channels; ++i) tile.dst[p][i] = buffer[p][i];
}

}  // namespace

template <class T>
void gather_tile(const PixelTile<T>& tile, const TapList& taps, const ChannelBlock<T>& block) {
  if (tile.size == 0) return;
  if (block.dst_channels < channel_block<T> || block.start == ChainStart::bias)
    return gather_by_buffer(tile, taps, block);
  gather_up_to<tile_rows>(tile, taps, block);
}

template void gather_tile<float>(const PixelTile<float>&, const TapList&, const ChannelBlock<float>&);
template void gather_tile<double>(const PixelTile<double>&, const TapList&, const ChannelBlock<double>&);

namespace {

/// R * channel_block accumulators stay in registers; per pixel: one block of diff_dst, R broadcasts, R fma.
template <int R, class T>
void add_rows(const PixelRun<T>* const runs, const int run_count, const int first_channel,
              const std::ptrdiff_t src_step, T* const sums) {
  Lanes<T> sum[R];
  unroll<R>([&](const auto r) { sum[r] = Lanes<T>::load(sums + r * channel_block<T>); });
  for (int run = 0; run < run_count; ++run) {
    const T* src = runs[run].src + first_channel;
    const T* diff_dst = runs[run].diff_dst;
    for (int p = 0; p < runs[run].size; ++p) {
      const auto lanes = Lanes<T>::load(diff_dst);
      unroll<R>([&](const auto r) { sum[r].add_product(src[r], lanes); });
      src += src_step;
      diff_dst += channel_block<T>;
    }
  }
  unroll<R>([&](const auto r) { sum[r].store(sums + r * channel_block<T>); });
}

/// The same for one run. Without the loop over runs the compiler keeps the accumulators out of the stack.
template <int R, class T>
void add_run(const PixelRun<T>& run, const std::ptrdiff_t src_step, T* const sums) {
  Lanes<T> sum[R];
  const T* src = run.src;
  const T* diff_dst = run.diff_dst;
  unroll<R>([&](const auto r) { sum[r] = Lanes<T>::load(sums + r * channel_block<T>); });
  for (int p = 0; p < run.size; ++p) {
    const auto lanes = Lanes<T>::load(diff_dst);
    unroll<R>([&](const auto r) { sum[r].add_product(src[r], lanes); });
    src += src_step;
    diff_dst += channel_block<T>;
  }
  unroll<R>([&](const auto r) { sum[r].store(sums + r * channel_block<T>); });
}

template <int R, class T>
void add_up_to(const PixelRun<T>* const runs, const int run_count, const int first_channel, const int size,
               const std::ptrdiff_t src_step, T* const sums) {
  if constexpr (R > 1) {
    if (size < R) return add_up_to<R - 1>(runs, run_count, first_channel, size, src_step, sums);
  }
  if (run_count == 1) return add_run<R, T>({runs->src + first_channel, runs->diff_dst, runs->size}, src_step, sums);
  add_rows<R>(runs, run_count, first_channel, src_step, sums);
}

}  // namespace

template <class T>
void add_to_weights_tile(const PixelRun<T>* const runs, const int run_count, const int first_channel, const int size,
                         const std::ptrdiff_t src_step, T* const sums) {
  add_up_to<tile_rows>(runs, run_count, first_channel, size, src_step, sums);
}

template void add_to_weights_tile<float>(const PixelRun<float>*, int, int, int, std::ptrdiff_t, float*);
template void add_to_weights_tile<double>(const PixelRun<double>*, int, int, int, std::ptrdiff_t, double*);

}  // namespace bcr::kernels::impl
