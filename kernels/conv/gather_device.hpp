#ifndef BCR_KERNELS_CONV_GATHER_DEVICE_HPP
#define BCR_KERNELS_CONV_GATHER_DEVICE_HPP

#include "kernels/conv/gather.hpp"
#include "kernels/conv/outer_product_tile.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: a tile of pixels that meet the same taps, times a tile of channels. Taps and channels of the sum pass
/// through scratch memory in slices, the sums stay in registers.
template <class Exec, class T, int ThreadsPerSide>
class GatherOnDevice {
  static constexpr int tile = 64;
  static constexpr int slice = 16;
  static constexpr int lanes = channel_block<T>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Scratch = typename Exec::scratch_memory_space;
  using Slice = Kokkos::View<T[slice][tile], Scratch, Kokkos::MemoryUnmanaged>;
  using Offsets = Kokkos::View<std::ptrdiff_t[tile], Scratch, Kokkos::MemoryUnmanaged>;

 public:
  explicit GatherOnDevice(const Gather<Exec, T>& gather)
      : gather_(gather), channel_tiles_(blocks_of(gather.dst.extent_int(3), tile)) {}

  void launch(const Exec& exec, const std::string& label) const {
    int teams = 0;
    for (int r = 0; r < gather_.rows.size; ++r)
      for (int c = 0; c < gather_.columns.size; ++c) teams += tiles_of(r, c);
    const auto scratch = Kokkos::PerTeam(2 * Slice::shmem_size() + 2 * Offsets::shmem_size());
    Kokkos::TeamPolicy<Exec> policy(exec, teams, ThreadsPerSide * ThreadsPerSide);
    Kokkos::parallel_for(label, policy.set_scratch_size(0, scratch), *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    int index = team.league_rank();
    int kind = 0;
    const int columns = gather_.columns.size;
    while (index >= tiles_of(kind / columns, kind % columns)) {
      index -= tiles_of(kind / columns, kind % columns);
      ++kind;
    }
    gather_tile(team, gather_.rows.segment[kind / columns], gather_.columns.segment[kind % columns],
                index / channel_tiles_ * tile, index % channel_tiles_ * tile);
  }

 private:
  KOKKOS_FUNCTION int pixels_of(const AxisSegment& rows, const AxisSegment& columns) const {
    return gather_.dst.extent_int(0) * rows.count * columns.count;
  }

  KOKKOS_FUNCTION int tiles_of(const int row_kind, const int column_kind) const {
    const int pixels = pixels_of(gather_.rows.segment[row_kind], gather_.columns.segment[column_kind]);
    return (pixels + tile - 1) / tile * channel_tiles_;
  }

  /// Where the pixels of the tile begin in src and dst. Past the end the last pixel is repeated, and not stored.
  KOKKOS_FUNCTION void find_pixels(const Member& team, const AxisSegment& rows, const AxisSegment& columns,
                                   const int first, const Offsets& src, const Offsets& dst) const {
    const int last = pixels_of(rows, columns) - 1;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile), [&](const int p) {
      const int pixel = first + p < last ? first + p : last;
      const int c = pixel % columns.count;
      const int r = pixel / columns.count % rows.count;
      const std::ptrdiff_t n = pixel / columns.count / rows.count;
      const std::ptrdiff_t src_row = n * gather_.src.extent_int(1) + rows.src + r * rows.src_step;
      const std::ptrdiff_t dst_row = n * gather_.dst.extent_int(1) + rows.first + r * rows.step;
      src(p) = (src_row * gather_.src.extent_int(2) + columns.src + c * columns.src_step) * gather_.src.extent_int(3);
      dst(p) = (dst_row * gather_.dst.extent_int(2) + columns.first + c * columns.step) * gather_.dst.extent_int(3);
    });
    team.team_barrier();
  }

  KOKKOS_FUNCTION void gather_tile(const Member& team, const AxisSegment& rows, const AxisSegment& columns,
                                   const int first_pixel, const int first_channel) const {
    const Offsets src_pixel(team.team_scratch(0));
    const Offsets dst_pixel(team.team_scratch(0));
    const Slice src(team.team_scratch(0));
    const Slice weights(team.team_scratch(0));
    find_pixels(team, rows, columns, first_pixel, src_pixel, dst_pixel);
    const int pixels = pixels_of(rows, columns) - first_pixel;
    const int channels = gather_.dst.extent_int(3) - first_channel;
    T* const dst = gather_.dst.data() + first_channel;
    OuterProductTile<T, tile, ThreadsPerSide> sums(team);
    sums.for_each(pixels, channels, [&](const int p, const int c, T& sum) {
      if (gather_.start == ChainStart::bias) sum = gather_.bias(first_channel + c);
      if (gather_.start == ChainStart::dst) sum = dst[dst_pixel(p) + c];
    });
    for (int tap = 0; tap < rows.taps * columns.taps; ++tap)
      for (int s = 0; s < gather_.src.extent_int(3); s += slice) {
        const int count = load_slices(team, rows, columns, tap, s, first_channel, src_pixel, src, weights);
        sums.add(src, weights, count);
        team.team_barrier();
      }
    sums.for_each(pixels, channels, [&](const int p, const int c, const T sum) {
      const std::ptrdiff_t at = dst_pixel(p) + first_channel + c;
      Lane<T> result{sum};
      if (gather_.epilogue.exists())
        result = gather_.epilogue.template of_channel<Lane<T>>(first_channel + c)(result, at);
      result.store(gather_.dst.data() + at);
    });
  }

  /// Brings at most `slice` channels of one tap into scratch memory and says how many.
  KOKKOS_FUNCTION int load_slices(const Member& team, const AxisSegment& rows, const AxisSegment& columns,
                                  const int tap, const int first, const int first_channel, const Offsets& src_pixel,
                                  const Slice& src, const Slice& weights) const {
    const int channels = gather_.src.extent_int(3);
    const int count = channels - first < slice ? channels - first : slice;
    const int y = tap / columns.taps;
    const int x = tap % columns.taps;
    const std::ptrdiff_t shift =
        (static_cast<std::ptrdiff_t>(y) * rows.src_tap_step * gather_.src.extent_int(2) + x * columns.src_tap_step) *
        channels;
    const T* const from = gather_.src.data() + shift + first;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile * slice), [&](const int i) {
      const int k = i % slice;
      if (k < count) src(k, i / slice) = from[src_pixel(i / slice) + k];
    });
    const int taps = gather_.kh * gather_.kw;
    const int weight_tap = (rows.tap + y * rows.tap_step) * gather_.kw + columns.tap + x * columns.tap_step;
    const int blocks = (gather_.dst.extent_int(3) + lanes - 1) / lanes;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count * tile), [&](const int i) {
      const int block = (first_channel + i % tile) / lanes;
      const std::size_t row = (static_cast<std::size_t>(block) * taps + weight_tap) * channels + first + i / tile;
      weights(i / tile, i % tile) = block < blocks ? gather_.packed(row * lanes + i % lanes) : T(0);
    });
    team.team_barrier();
    return count;
  }

  Gather<Exec, T> gather_;
  int channel_tiles_;
};

template <int ThreadsPerSide = 16, class Exec, class T>
void gather_on_device(const Exec& exec, const std::string& label, const Gather<Exec, T>& gather) {
  GatherOnDevice<Exec, T, ThreadsPerSide>(gather).launch(exec, label);
}

}  // namespace bcr::kernels::impl

#endif
