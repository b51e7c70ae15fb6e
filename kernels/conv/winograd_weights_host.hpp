#ifndef BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_HOST_HPP
#define BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_HOST_HPP

#include "kernels/conv/pair_tiles.hpp"
#include "kernels/conv/register_tiles.hpp"
#include "kernels/conv/winograd_transform.hpp"
#include "kernels/conv/winograd_weights_sums.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

namespace bcr::kernels::impl {

/// One work item: one chunk of tiles, a group of input channels and a group of blocks of output channels. The tiles
/// pass in bands; the patches and gradients of a band and the sums of the groups stay in the second cache, those of one
/// of the 16 matrices in the first. Not for devices: the tile keeps vectors in registers.
///
/// With Stored = Bf16 patches and gradients are rounded to it and multiplied in pairs of neighbouring tiles, two blocks
/// at a time; then the channels are whole blocks. A last tile without a partner has zeros for one.
template <class Exec, class T, class Stored = T>
class WinogradWeightsOnHost {
  static constexpr int lanes = channel_block<T>;
  static constexpr int width = std::is_same_v<Stored, T> ? 1 : 2;  ///< tiles that are multiplied at once
  static constexpr int blocks_at_once = width == 1 ? 1 : tile_blocks;
  static constexpr int most_inputs = 4 * lanes;
  static constexpr int most_blocks = 2 * blocks_at_once;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>>;
  using Member = typename Policy::member_type;

  struct Item {
    int chunk;
    int first_block;
    int blocks;
    int first_input;
    int inputs;
  };

  /// Tiles first, ..., first + count - 1; the next band ends before `next_end`.
  struct Band {
    int first;
    int count;
    int next_end;
  };

 public:
  explicit WinogradWeightsOnHost(const WinogradWeightsSums<Exec, T>& sums)
      : sums_(sums),
        input_groups_(blocks_of(sums.src.extent_int(3), most_inputs)),
        block_groups_(blocks_of(sums.blocks, most_blocks)),
        band_tiles_(tiles_in_cache(std::min(most_inputs, sums.src.extent_int(3)))),
        patch_step_(band_tiles_ * std::min(most_inputs, sums.src.extent_int(3)) + line),
        gradient_step_(most_blocks * band_tiles_ * lanes + line) {}

  void launch(const Exec& exec, const std::string& label) const {
    Policy policy(exec, sums_.chunks * input_groups_ * block_groups_, 1);
    policy.set_chunk_size(1).set_scratch_size(1, Kokkos::PerTeam(scratch_bytes() + 64));
    Kokkos::parallel_for(label, policy, *this);
  }

  void operator()(const Member& team) const {
    const Item item = item_of(team.league_rank());
    T* const zeros = static_cast<T*>(team.team_scratch(1).get_shmem_aligned(scratch_bytes(), 64));
    Stored* const patches = reinterpret_cast<Stored*>(zeros + zeros_size());
    Stored* const gradients = patches + 16 * patch_step_;
    std::fill_n(zeros, zeros_size(), T(0));
    for (int b = 0; b < item.blocks; ++b)
      for (int i = 0; i < 16; ++i) std::fill_n(sums_of(item, b, i), item.inputs * lanes, T(0));
    const int first = item.chunk * sums_.tiles_per_chunk;
    const int last = first + sums_.tiles_of(item.chunk);
    for (int tile = first; tile < last; tile += band_tiles_) {
      const Band band{tile, std::min(band_tiles_, last - tile), std::min(last, tile + 2 * band_tiles_)};
      for (int t = 0; t < band.count; t += width) {
        for (int next = tile + t + band_tiles_; next < std::min(tile + t + band_tiles_ + width, band.next_end); ++next)
          prefetch_patch(sums_.src, sums_.grid.place(next), sums_.pad, item.first_input, item.inputs);
        transform_tiles(item, tile + t, std::min(width, band.count - t), zeros, patches + t * item.inputs,
                        gradients + t * lanes);
      }
      multiply(item, band, patches, gradients);
    }
  }

 private:
  static constexpr int line = 64 / sizeof(Stored);

  /// As many as keep patches and gradients within 256 KB: a sum is loaded and stored once in a band. Whole groups.
  static int tiles_in_cache(const int inputs) {
    const std::size_t tile_bytes = 16 * sizeof(Stored) * (inputs + most_blocks * lanes);
    return std::min(64 * width, static_cast<int>((std::size_t(1) << 18) / tile_bytes) / width * width);
  }

  /// Whole cache lines.
  std::size_t zeros_size() const {
    return std::size_t(blocks_of(std::max(sums_.src.extent_int(3), sums_.diff_dst.extent_int(3)), lanes)) * lanes;
  }
  std::size_t scratch_bytes() const {
    return zeros_size() * sizeof(T) + 16 * (patch_step_ + gradient_step_) * sizeof(Stored);
  }

  Item item_of(int index) const {
    const int input_group = index % input_groups_;
    index /= input_groups_;
    const int block_group = index % block_groups_;
    const int inputs = std::min(most_inputs, sums_.src.extent_int(3) - input_group * most_inputs);
    const int blocks = std::min(most_blocks, sums_.blocks - block_group * most_blocks);
    return {index / block_groups_, block_group * most_blocks, blocks, input_group * most_inputs, inputs};
  }

  T* sums_of(const Item& item, const int block, const int matrix) const {
    return sums_.sums.data() + sums_.offset(item.chunk, item.first_block + block, matrix) + item.first_input * lanes;
  }

  /// patches [16, band_tiles / width, inputs, width], gradients [16, blocks, band_tiles / width, channel_block, width]
  void transform_tiles(const Item& item, const int tile, const int count, const T* const zeros, Stored* const patches,
                       Stored* const gradients) const {
    const TilePlace place = sums_.grid.place(tile);
    const T* patch[16];
    find_pixels<4>(sums_.src, place.n, place.h - sums_.pad, place.w - sums_.pad, zeros, patch);
    const T* gradient[4];
    find_pixels<2>(sums_.diff_dst, place.n, place.h, place.w, zeros, gradient);
    if constexpr (width == 1) {
      int c = 0;
      for (; c + lanes <= item.inputs; c += lanes)
        transform_patch<Lanes<T>>(patch, item.first_input + c, patches + c, patch_step_);
      for (; c < item.inputs; ++c) transform_patch<Lane<T>>(patch, item.first_input + c, patches + c, patch_step_);
      for (int b = 0; b < item.blocks; ++b)
        transform_block(gradient, first_output(item, b), gradients + b * band_tiles_ * lanes);
    } else {
      TwoPlaces<T> both_patches[16];
      TwoPlaces<T> both_gradients[4];
      for (int i = 0; i < 16; ++i) both_patches[i] = {patch[i], zeros};
      for (int i = 0; i < 4; ++i) both_gradients[i] = {gradient[i], zeros};
      if (count == width) {
        const TilePlace next = sums_.grid.place(tile + 1);
        find_pixels<4>(sums_.src, next.n, next.h - sums_.pad, next.w - sums_.pad, zeros, patch);
        find_pixels<2>(sums_.diff_dst, next.n, next.h, next.w, zeros, gradient);
        for (int i = 0; i < 16; ++i) both_patches[i].second = patch[i];
        for (int i = 0; i < 4; ++i) both_gradients[i].second = gradient[i];
      }
      for (int c = 0; c < item.inputs; c += lanes)
        transform_patch<PairedLanes>(both_patches, item.first_input + c, patches + c * width, patch_step_);
      for (int b = 0; b < item.blocks; ++b)
        transform_gradient<PairedLanes>(both_gradients, first_output(item, b), gradients + b * band_tiles_ * lanes,
                                        gradient_step_);
    }
  }

  int first_output(const Item& item, const int block) const {
    return (sums_.first_block + item.first_block + block) * lanes;
  }

  void transform_block(const T* const (&gradient)[4], const int channel, T* const to) const {
    const int channels = std::min(lanes, sums_.diff_dst.extent_int(3) - channel);
    if (channels == lanes) return transform_gradient<Lanes<T>>(gradient, channel, to, gradient_step_);
    for (int c = 0; c < channels; ++c) transform_gradient<Lane<T>>(gradient, channel + c, to + c, gradient_step_);
    for (int i = 0; i < 16; ++i) std::fill_n(to + i * gradient_step_ + channels, lanes - channels, T(0));
  }

  /// Meanwhile the gradients of the next band are fetched, evenly, as its images are while this one is transformed: a
  /// burst would find no free place in the queue of misses.
  void multiply(const Item& item, const Band& band, const Stored* const patches, const Stored* const gradients) const {
    const int steps = 16 * blocks_of(item.blocks, blocks_at_once) * blocks_of(item.inputs, tile_rows);
    const int steps_per_tile = std::max(1, steps / band_tiles_);
    const int tiles_per_step = std::max(1, band_tiles_ / steps);
    int step = 0;
    int next = band.first + band.count;
    for (int i = 0; i < 16; ++i)
      for (int b = 0; b < item.blocks; b += blocks_at_once) {
        for (int c = 0; c < item.inputs;) {
          if (++step % steps_per_tile == 0)
            for (int n = 0; n < tiles_per_step && next < band.next_end; ++n) fetch_gradient(item, next++);
          const int size = tile_size(item.inputs - c);
          add_products(item, band, {.matrix = i, .block = b, .input = c, .inputs = size}, patches + i * patch_step_,
                       gradients + i * gradient_step_ + b * band_tiles_ * lanes);
          c += size;
        }
      }
  }

  /// Sums that stay in registers: some input channels of an item and one block of its outputs, or the next as well.
  struct Part {
    int matrix;
    int block;
    int input;
    int inputs;
  };

  void add_products(const Item& item, const Band& band, const Part& part, const Stored* const patches,
                    const Stored* const gradients) const {
    T* const sums = sums_of(item, part.block, part.matrix) + part.input * lanes;
    if constexpr (width == 1) {
      const PixelRun<T> run{.src = patches, .diff_dst = gradients, .size = band.count};
      add_to_weights_tile(&run, 1, part.input, item.inputs, SumsTile<T>{.sums = sums, .size = part.inputs});
    } else {
      add_pairs({.rows = patches + part.input * width,
                 .next_row = width,
                 .next_row_pair = item.inputs * width,
                 .columns = gradients,
                 .next_columns = std::ptrdiff_t(band_tiles_) * lanes,
                 .pairs = blocks_of(band.count, width),
                 .sums = sums,
                 .next_sums = static_cast<std::ptrdiff_t>(sums_.offset(0, 1, 0) - sums_.offset(0, 0, 0))},
                part.inputs, std::min(blocks_at_once, item.blocks - part.block));
    }
  }

  void fetch_gradient(const Item& item, const int tile) const {
    const TilePlace place = sums_.grid.place(tile);
    const int channel = first_output(item, 0);
    prefetch_pixels(sums_.diff_dst, place.n, {place.h, 2}, {place.w, 2}, channel,
                    std::min(item.blocks * lanes, sums_.diff_dst.extent_int(3) - channel));
  }

  WinogradWeightsSums<Exec, T> sums_;
  int input_groups_;
  int block_groups_;
  int band_tiles_;
  // From one of the 16 matrices to the next: a cache line more than its size, or all would meet in one set of the
  // cache.
  std::ptrdiff_t patch_step_;
  std::ptrdiff_t gradient_step_;
};

}  // namespace bcr::kernels::impl

#endif
