#ifndef BCR_KERNELS_CONV_WINOGRAD_HOST_HPP
#define BCR_KERNELS_CONV_WINOGRAD_HOST_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/register_tiles.hpp"
#include "kernels/conv/winograd_tiles.hpp"
#include "kernels/conv/winograd_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One work item: some bands of tiles, all channels. The patches of a band stay in the second cache, the products of
/// one block of output channels in the first; the 16 products of matrices run in the tile of the direct convolution,
/// with one tap. Meanwhile the pixels of the next band are fetched. Not for devices.
template <class Exec, class T>
class WinogradOnHost {
  static constexpr int lanes = channel_block<T>;
  static constexpr int most_tiles = 8 * tile_rows;
  static constexpr int bands_per_item = 8;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Member = typename Policy::member_type;

  /// Tiles first, ..., first + count - 1; the next band ends before `next_end`.
  struct Band {
    int first;
    int count;
    int next_end;
  };

 public:
  explicit WinogradOnHost(const Winograd<Exec, T>& winograd)
      : winograd_(winograd),
        grid_(TileGrid::of(winograd.dst)),
        inputs_(winograd.src.extent_int(3)),
        outputs_(winograd.dst.extent_int(3)),
        band_tiles_(tiles_in_cache(inputs_)),
        patch_step_(std::ptrdiff_t(band_tiles_) * inputs_ + lanes) {}

  void launch(const Exec& exec, const std::string& label) const {
    Policy policy(exec, blocks_of(grid_.size(), bands_per_item * band_tiles_), 1);
    policy.set_chunk_size(1).set_scratch_size(1, Kokkos::PerTeam(scratch_bytes() + 64));
    Kokkos::parallel_for(label, policy, *this);
  }

  void operator()(const Member& team) const {
    T* const patches = static_cast<T*>(team.team_scratch(1).get_shmem_aligned(scratch_bytes(), 64));
    T* const zeros = patches + 16 * patch_step_;
    std::fill_n(zeros, inputs_, T(0));
    const int first = team.league_rank() * bands_per_item * band_tiles_;
    const int last = std::min(first + bands_per_item * band_tiles_, grid_.size());
    for (int tile = first; tile < last; tile += band_tiles_)
      convolve({tile, std::min(band_tiles_, last - tile), std::min(last, tile + 2 * band_tiles_)}, patches, zeros);
  }

 private:
  /// From one of the 16 matrices to the next: a cache line more than its size, or all would meet in one set of the
  /// cache (patch_step_ likewise).
  static constexpr std::ptrdiff_t product_step = (most_tiles + 1) * lanes;

  /// As many as keep the patches within 128 KB.
  static int tiles_in_cache(const int inputs) {
    const std::size_t fitting = (std::size_t(1) << 17) / (16 * sizeof(T) * std::max(1, inputs));
    return std::clamp(static_cast<int>(fitting) / tile_rows * tile_rows, 2 * tile_rows, most_tiles);
  }

  std::size_t scratch_bytes() const { return (16 * patch_step_ + inputs_) * sizeof(T); }

  void convolve(const Band& band, T* const patches, const T* const zeros) const {
    TilePlace places[most_tiles];
    for (int t = 0; t < band.count; ++t) {
      places[t] = grid_.place(band.first + t);
      transform_tile(places[t], zeros, patches + std::ptrdiff_t(t) * inputs_);
    }
    for (int block = 0; block < blocks_of(outputs_, lanes); ++block) {
      alignas(64) T products[16 * product_step];
      multiply(band, block, patches, products);
      for (int t = 0; t < band.count; ++t) finish_tile(places[t], block, products + t * lanes);
    }
  }

  /// patches [16, band_tiles, IC]
  void transform_tile(const TilePlace& tile, const T* const zeros, T* const patches) const {
    const T* patch[16];
    winograd_.find_patch(tile, zeros, patch);
    int c = 0;
    for (; c + lanes <= inputs_; c += lanes) transform_patch<Lanes<T>>(patch, c, patches + c, patch_step_);
    for (; c < inputs_; ++c) transform_patch<Lane<T>>(patch, c, patches + c, patch_step_);
  }

  /// products [16, band_tiles, channel_block]
  void multiply(const Band& band, const int block, const T* const patches, T* const products) const {
    TapList tap;
    tap.tap[0] = {.src = 0, .weights = 0};
    tap.size = 1;
    const int steps = 16 * blocks_of(outputs_, lanes) * blocks_of(band_tiles_, tile_rows);
    const int steps_per_tile = std::max(1, steps / band_tiles_);
    int step = steps / blocks_of(outputs_, lanes) * block;
    for (int i = 0; i < 16; ++i) {
      const ChannelBlock<T> channels{
          .weights = winograd_.kernels.data() + (std::size_t(block) * 16 + i) * inputs_ * lanes,
          .bias = nullptr,
          .src_channels = inputs_,
          .dst_channels = lanes,
          .start = ChainStart::zero};
      for (int t = 0; t < band.count;) {
        const int next = band.first + band.count + ++step / steps_per_tile - 1;
        if (step % steps_per_tile == 0 && next < band.next_end) fetch_tile(next);
        PixelTile<T> tile;
        tile.size = tile_size(band.count - t);
        for (int p = 0; p < tile.size; ++p) {
          tile.src[p] = patches + i * patch_step_ + std::ptrdiff_t(t + p) * inputs_;
          tile.dst[p] = products + i * product_step + (t + p) * lanes;
        }
        gather_tile(tile, tap, channels);
        t += tile.size;
      }
    }
  }

  /// What a tile reads and writes.
  void fetch_tile(const int tile) const {
    const TilePlace place = grid_.place(tile);
    prefetch_patch(winograd_.src, place, winograd_.pad, 0, inputs_);
    prefetch_pixels(winograd_.dst, place.n, {place.h, 2}, {place.w, 2}, 0, outputs_);
    const auto& addend = winograd_.epilogue.addend;
    if (addend.data() != nullptr) prefetch_pixels(addend, place.n, {place.h, 2}, {place.w, 2}, 0, outputs_);
  }

  void finish_tile(const TilePlace& tile, const int block, const T* const products) const {
    const int channels = std::min(lanes, outputs_ - block * lanes);
    if (channels == lanes) return finish<Lanes<T>>(tile, block * lanes, products);
    for (int c = 0; c < channels; ++c) finish<Lane<T>>(tile, block * lanes + c, products + c);
  }

  template <class Value>
  void finish(const TilePlace& tile, const int channel, const T* const products) const {
    Value y[2][2];
    transform_products(products, product_step, y);
    winograd_.store(tile, channel, y);
  }

  Winograd<Exec, T> winograd_;
  TileGrid grid_;
  int inputs_;
  int outputs_;
  int band_tiles_;
  std::ptrdiff_t patch_step_;
};

}  // namespace bcr::kernels::impl

#endif
