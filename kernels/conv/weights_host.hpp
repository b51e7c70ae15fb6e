#ifndef BCR_KERNELS_CONV_WEIGHTS_HOST_HPP
#define BCR_KERNELS_CONV_WEIGHTS_HOST_HPP

#include "kernels/conv/register_tiles.hpp"
#include "kernels/conv/weights_sums.hpp"

#include <algorithm>
#include <string>

namespace bcr::kernels::impl {

/// One work item: one chunk of images and the blocks of output channels of one tile. The images pass in bands of at most
/// band_pixels output pixels, whose gradients are copied side by side: they stay in the nearest cache for all taps and
/// input channels. Not for devices: the tile keeps vectors in registers.
template <class Exec, class T>
class WeightsOnHost {
  static constexpr int lanes = channel_block<T>;
  static constexpr int band_pixels = 128;

 public:
  explicit WeightsOnHost(const WeightsSums<Exec, T>& sums) : sums_(sums) {}

  int items() const { return sums_.chunks * tiles_of_blocks(); }

  void operator()(const int item) const {
    const int first_block = item % tiles_of_blocks() * tile_blocks;
    const int chunk = item / tiles_of_blocks();
    const Blocks blocks{.first = sums_.first_block + first_block,
                        .count = std::min(tile_blocks, sums_.blocks - first_block),
                        .sums = sums_.sums.data() + sums_.offset(chunk, first_block, 0)};
    std::fill_n(blocks.sums, blocks.count * block_sums(), T(0));
    const int first = chunk * sums_.images_per_chunk;
    const int last = std::min(first + sums_.images_per_chunk, sums_.src.extent_int(0));
    const int height = sums_.diff_dst.extent_int(1);
    const int width = sums_.diff_dst.extent_int(2);
    const int band_width = std::clamp(width, 1, band_pixels);
    const int band_height = band_pixels / band_width;
    for (int n = first; n < last; ++n)
      for (int h = 0; h < height; h += band_height)
        for (int w = 0; w < width; w += band_width)
          add_band(n, {h, std::min(band_height, height - h)}, {w, std::min(band_width, width - w)}, blocks);
  }

 private:
  /// Neighbouring blocks of output channels and where the sums of the first begin.
  struct Blocks {
    int first;
    int count;
    T* sums;
  };

  int tiles_of_blocks() const { return blocks_of(sums_.blocks, tile_blocks); }
  std::size_t block_sums() const { return sums_.offset(0, 0, sums_.kh * sums_.kw); }

  static OutputRange common(const OutputRange& a, const OutputRange& b) {
    const int first = std::max(a.first, b.first);
    return {first, std::max(0, std::min(a.first + a.count, b.first + b.count) - first)};
  }

  /// band [pixels, blocks, channel_block]
  void copy_gradients(const int n, const OutputRange& rows, const OutputRange& columns, const Blocks& blocks,
                      T* band) const {
    for (int r = 0; r < rows.count; ++r)
      for (int c = 0; c < columns.count; ++c)
        for (int block = blocks.first; block < blocks.first + blocks.count; ++block, band += lanes) {
          const T* const from = &sums_.diff_dst(n, rows.first + r, columns.first + c, block * lanes);
          const int channels = sums_.diff_dst.extent_int(3) - block * lanes;
          if (channels >= lanes) {
            Lanes<T>::load(from).store(band);
          } else {
            for (int i = 0; i < lanes; ++i) band[i] = i < channels ? from[i] : T(0);
          }
        }
  }

  void add_band(const int n, const OutputRange& rows, const OutputRange& columns, const Blocks& blocks) const {
    alignas(64) T band[band_pixels * tile_blocks * lanes];
    copy_gradients(n, rows, columns, blocks, band);
    for (int kh = 0; kh < sums_.kh; ++kh) {
      const auto tap_rows = outputs_of_tap(sums_.window, kh, sums_.src.extent_int(1), sums_.diff_dst.extent_int(1));
      for (int kw = 0; kw < sums_.kw; ++kw) {
        const auto tap_columns =
            outputs_of_tap(sums_.window, kw, sums_.src.extent_int(2), sums_.diff_dst.extent_int(2));
        PixelRun<T> runs[band_pixels];
        const int run_count =
            runs_of_tap(n, rows, columns, common(rows, tap_rows), common(columns, tap_columns), kh, kw, band,
                        blocks.count * lanes, runs);
        add_tap(runs, run_count, blocks, sums_.offset(0, 0, kh * sums_.kw + kw));
      }
    }
  }

  /// The rows of the band that the tap meets inside the image.
  int runs_of_tap(const int n, const OutputRange& band_rows, const OutputRange& band_columns, const OutputRange& rows,
                  const OutputRange& columns, const int kh, const int kw, const T* const band,
                  const int pixel_step, PixelRun<T>* const runs) const {
    if (columns.count == 0 || sums_.src.extent_int(3) == 0) return 0;
    const auto& window = sums_.window;
    for (int r = 0; r < rows.count; ++r) {
      const int h = rows.first + r;
      const int pixel = (h - band_rows.first) * band_columns.count + columns.first - band_columns.first;
      runs[r] = {
          .src = &sums_.src(n, h * window.stride + kh - window.pad, columns.first * window.stride + kw - window.pad, 0),
          .diff_dst = band + pixel * pixel_step,
          .size = columns.count};
    }
    return rows.count;
  }

  void add_tap(const PixelRun<T>* const runs, const int run_count, const Blocks& blocks,
               const std::size_t tap) const {
    const int channels = sums_.src.extent_int(3);
    const std::ptrdiff_t src_step = static_cast<std::ptrdiff_t>(sums_.window.stride) * channels;
    for (int c = 0; c < channels;) {
      const int size = tile_size(channels - c);
      add_to_weights_tile(runs, run_count, c, src_step,
                          SumsTile<T>{.sums = blocks.sums + tap + c * lanes,
                                      .size = size,
                                      .blocks = blocks.count,
                                      .next_sums = static_cast<std::ptrdiff_t>(block_sums())});
      c += size;
    }
  }

  WeightsSums<Exec, T> sums_;
};

template <class Exec, class T>
void sum_on_host(const Exec& exec, const std::string& label, const WeightsSums<Exec, T>& sums) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<int>>;
  const WeightsOnHost<Exec, T> functor(sums);
  Kokkos::parallel_for(label, Policy(exec, 0, functor.items(), Kokkos::ChunkSize(1)), functor);
}

}  // namespace bcr::kernels::impl

#endif
