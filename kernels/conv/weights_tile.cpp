#include "kernels/conv/weights_tile.hpp"

namespace bcr::kernels::impl {
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
