#ifndef BCR_KERNELS_CONV_WINOGRAD_HOST_HPP
#define BCR_KERNELS_CONV_WINOGRAD_HOST_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/pair_tiles.hpp"
#include "kernels/conv/register_tiles.hpp"
#include "kernels/conv/winograd_tiles.hpp"
#include "kernels/conv/winograd_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

namespace bcr::kernels::impl {

/// One work item: some bands of tiles, all channels. The patches of a band stay in the second cache, the products of
/// one block of output channels in the first; the 16 products of matrices run in the tile of the direct convolution,
/// with one tap. Meanwhile the pixels of the next band are fetched. Not for devices.
///
/// With Stored = Bf16 patches and kernels are rounded to it and multiplied in pairs of input channels, two blocks of
/// output channels at a time; then the channels are whole blocks.
template <class Exec, class T, class Stored = T>
class WinogradOnHost {
  static constexpr int lanes = channel_block<T>;
  static constexpr bool in_pairs = !std::is_same_v<Stored, T>;
  static constexpr int blocks_at_once = in_pairs ? tile_blocks : 1;
  static constexpr int most_tiles = 8 * tile_rows / blocks_at_once;
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
        patch_step_(std::ptrdiff_t(band_tiles_) * inputs_ + 64 / sizeof(Stored)) {}

  void launch(const Exec& exec, const std::string& label) const {
    Policy policy(exec, blocks_of(grid_.size(), bands_per_item * band_tiles_), 1);
    policy.set_chunk_size(1).set_scratch_size(1, Kokkos::PerTeam(scratch_bytes() + 64));
    Kokkos::parallel_for(label, policy, *this);
  }

  void operator()(const Member& team) const {
    T* const zeros = static_cast<T*>(team.team_scratch(1).get_shmem_aligned(scratch_bytes(), 64));
    Stored* const patches = reinterpret_cast<Stored*>(zeros + zeros_size());
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
    const std::size_t fitting = (std::size_t(1) << 17) / (16 * sizeof(Stored) * std::max(1, inputs));
    return std::clamp(static_cast<int>(fitting) / tile_rows * tile_rows, 2 * tile_rows, most_tiles);
  }

  /// Whole cache lines.
  std::size_t zeros_size() const { return std::size_t(blocks_of(inputs_, lanes)) * lanes; }
  std::size_t scratch_bytes() const { return zeros_size() * sizeof(T) + 16 * patch_step_ * sizeof(Stored); }

  void convolve(const Band& band, Stored* const patches, const T* const zeros) const {
    TilePlace places[most_tiles];
    for (int t = 0; t < band.count; ++t) {
      places[t] = grid_.place(band.first + t);
      transform_tile(places[t], zeros, patches + std::ptrdiff_t(t) * inputs_);
    }
    const int all_blocks = blocks_of(outputs_, lanes);
    for (int block = 0; block < all_blocks; block += blocks_at_once) {
      alignas(64) T products[blocks_at_once * 16 * product_step];
      const int blocks = std::min(blocks_at_once, all_blocks - block);
      multiply(band, block, blocks, patches, products);
      for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < band.count; ++t)
          finish_tile(places[t], block + b, products + b * 16 * product_step + t * lanes);
    }
  }

  /// patches [16, band_tiles, IC]
  void transform_tile(const TilePlace& tile, const T* const zeros, Stored* const patches) const {
    using Values = std::conditional_t<in_pairs, RoundedLanes, Lanes<T>>;
    const T* patch[16];
    winograd_.find_patch(tile, zeros, patch);
    int c = 0;
    for (; c + lanes <= inputs_; c += lanes) transform_patch<Values>(patch, c, patches + c, patch_step_);
    if constexpr (!in_pairs)
      for (; c < inputs_; ++c) transform_patch<Lane<T>>(patch, c, patches + c, patch_step_);
  }

  /// products [blocks, 16, band_tiles, channel_block]
  void multiply(const Band& band, const int block, const int blocks, const Stored* const patches,
                T* const products) const {
    const int passes = blocks_of(blocks_of(outputs_, lanes), blocks_at_once);
    const int steps = 16 * passes * blocks_of(band_tiles_, tile_rows);
    const int steps_per_tile = std::max(1, steps / band_tiles_);
    int step = steps / passes * (block / blocks_at_once);
    for (int i = 0; i < 16; ++i) {
      const Stored* const kernels = kernels_of(block, i);
      for (int t = 0; t < band.count;) {
        const int next = band.first + band.count + ++step / steps_per_tile - 1;
        if (step % steps_per_tile == 0 && next < band.next_end) fetch_tile(next);
        const int size = tile_size(band.count - t);
        multiply_tile(patches + i * patch_step_ + std::ptrdiff_t(t) * inputs_, kernels, size, blocks,
                      products + i * product_step + t * lanes);
        t += size;
      }
    }
  }

  const Stored* kernels_of(const int block, const int matrix) const {
    const auto* const kernels = reinterpret_cast<const Stored*>(winograd_.kernels.data());
    return kernels + (std::size_t(block) * 16 + matrix) * inputs_ * lanes;
  }

  /// Some rows of one of the 16 products.
  void multiply_tile(const Stored* const patches, const Stored* const kernels, const int size, const int blocks,
                     T* const products) const {
    if constexpr (in_pairs) {
      multiply_pairs({.rows = patches,
                      .next_row = inputs_,
                      .next_row_pair = 2,
                      .columns = kernels,
                      .next_columns = std::ptrdiff_t(16) * inputs_ * lanes,
                      .pairs = inputs_ / 2,
                      .sums = products,
                      .next_sums = 16 * product_step},
                     size, blocks);
    } else {
      TapList tap;
      tap.tap[0] = {.src = 0, .weights = 0};
      tap.size = 1;
      PixelTile<T> tile;
      tile.size = size;
      for (int p = 0; p < size; ++p) {
        tile.src[p] = patches + std::ptrdiff_t(p) * inputs_;
        tile.dst[p] = products + p * lanes;
      }
      gather_tile(tile, tap,
                  ChannelBlock<T>{.weights = kernels,
                                  .bias = nullptr,
                                  .src_channels = inputs_,
                                  .dst_channels = lanes,
                                  .start = ChainStart::zero});
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
