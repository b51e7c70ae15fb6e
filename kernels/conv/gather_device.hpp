#ifndef BCR_KERNELS_CONV_GATHER_DEVICE_HPP
#define BCR_KERNELS_CONV_GATHER_DEVICE_HPP

#include "kernels/conv/gather.hpp"
#include "kernels/conv/product_tile.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: a tile of pixels that meet the same taps, times a tile of channels. Taps and channels of the sum pass
/// through scratch memory in slices, the sums stay in registers.
template <class Exec, class T, int Threads>
class GatherOnDevice {
  static constexpr int tile = 128;     ///< pixels
  static constexpr int channels = 32;  ///< of dst
  static constexpr int slice = 8;      ///< channels of src
  static constexpr int lanes = channel_block<T>;
  static constexpr int quad = Quad<T>::width;
  // Writing a slice, a Quad of channels of a pixel at a time, then meets no bank twice.
  static constexpr int src_step = tile + 4;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<Threads, sizeof(T) == 4 ? 8 : 4>>;
  using Member = typename Policy::member_type;

  /// Where a pixel begins in src and dst.
  struct Pixel {
    std::ptrdiff_t src;
    std::ptrdiff_t dst;
  };

 public:
  explicit GatherOnDevice(const Gather<Exec, T>& gather)
      : gather_(gather), channel_tiles_(blocks_of(gather.dst.extent_int(3), channels)) {}

  void launch(const Exec& exec, const std::string& label) const {
    int teams = 0;
    for (int r = 0; r < gather_.rows.size; ++r)
      for (int c = 0; c < gather_.columns.size; ++c) teams += tiles_of(r, c);
    const auto scratch = Kokkos::PerTeam(scratch_size<T>(slice * src_step) + scratch_size<T>(slice * channels) +
                                         scratch_size<Pixel>(tile));
    Kokkos::parallel_for(label, Policy(exec, teams, Threads).set_scratch_size(0, scratch), *this);
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
                index / channel_tiles_ * tile, index % channel_tiles_ * channels);
  }

 private:
  KOKKOS_FUNCTION int pixels_of(const AxisSegment& rows, const AxisSegment& columns) const {
    return gather_.dst.extent_int(0) * rows.count * columns.count;
  }

  KOKKOS_FUNCTION int tiles_of(const int row_kind, const int column_kind) const {
    const int pixels = pixels_of(gather_.rows.segment[row_kind], gather_.columns.segment[column_kind]);
    return (pixels + tile - 1) / tile * channel_tiles_;
  }

  /// Past the end the last pixel is repeated, and not stored.
  KOKKOS_FUNCTION void find_pixels(const Member& team, const AxisSegment& rows, const AxisSegment& columns,
                                   const int first, Pixel* const pixels) const {
    const int last = pixels_of(rows, columns) - 1;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile), [&](const int p) {
      const int pixel = first + p < last ? first + p : last;
      const int c = pixel % columns.count;
      const int r = pixel / columns.count % rows.count;
      const std::ptrdiff_t n = pixel / columns.count / rows.count;
      const std::ptrdiff_t src_row = n * gather_.src.extent_int(1) + rows.src + r * rows.src_step;
      const std::ptrdiff_t dst_row = n * gather_.dst.extent_int(1) + rows.first + r * rows.step;
      pixels[p] = {
          (src_row * gather_.src.extent_int(2) + columns.src + c * columns.src_step) * gather_.src.extent_int(3),
          (dst_row * gather_.dst.extent_int(2) + columns.first + c * columns.step) * gather_.dst.extent_int(3)};
    });
    team.team_barrier();
  }

  KOKKOS_FUNCTION void gather_tile(const Member& team, const AxisSegment& rows, const AxisSegment& columns,
                                   const int first_pixel, const int first_channel) const {
    T* const src = quad_scratch<T>(team, slice * src_step);
    T* const weights = quad_scratch<T>(team, slice * channels);
    Pixel* const pixel = quad_scratch<Pixel>(team, tile);
    find_pixels(team, rows, columns, first_pixel, pixel);
    const int pixels = pixels_of(rows, columns) - first_pixel;
    const int outputs = gather_.dst.extent_int(3) - first_channel;
    ProductTile<T, 1, tile, channels, Threads> sums(team);
    if (gather_.start != ChainStart::zero)
      sums.for_each(pixels, outputs, [&](const int p, const int c, T& sum) {
        sum = gather_.start == ChainStart::bias ? gather_.bias(first_channel + c)
                                                : gather_.dst.data()[pixel[p].dst + first_channel + c];
      });
    for (int tap = 0; tap < rows.taps * columns.taps; ++tap) {
      const int y = tap / columns.taps;
      const int x = tap % columns.taps;
      const std::ptrdiff_t shift = static_cast<std::ptrdiff_t>(y) * rows.src_tap_step * gather_.src.extent_int(2) +
                                   x * columns.src_tap_step;
      const int weight_tap = (rows.tap + y * rows.tap_step) * gather_.kw + columns.tap + x * columns.tap_step;
      for (int s = 0; s < gather_.src.extent_int(3); s += slice) {
        const int left = gather_.src.extent_int(3) - s;
        const int count = left < slice ? left : slice;
        load_src(team, gather_.src.data() + shift * gather_.src.extent_int(3) + s, count, pixel, src);
        load_weights(team, weight_tap, s, count, first_channel, weights);
        team.team_barrier();
        sums.add(src, src_step, weights, channels, count);
        team.team_barrier();
      }
    }
    sums.for_each_quad([&](int, const int p, const int c, const Quad<T>& values) {
      if (p < pixels && c < outputs) store(pixel[p].dst + first_channel + c, first_channel + c, values);
    });
  }

  /// The end of the sums for dst.data()[at], which is `channel`, and its neighbours.
  KOKKOS_FUNCTION void store(const std::ptrdiff_t at, const int channel, Quad<T> values) const {
    const int left = gather_.dst.extent_int(3) - channel;
    const int count = left < quad ? left : quad;
    if (gather_.epilogue.exists())
      for (int i = 0; i < count; ++i)
        values.value[i] =
            gather_.epilogue.template of_channel<Lane<T>>(channel + i)(Lane<T>{values.value[i]}, at + i).value;
    if (gather_.dst.extent_int(3) % quad == 0) return values.store(gather_.dst.data() + at);
    for (int i = 0; i < count; ++i) gather_.dst.data()[at + i] = values.value[i];
  }

  /// [k][pixel] of `count` channels; whole Quads where a pixel consists of such.
  KOKKOS_FUNCTION void load_src(const Member& team, const T* const from, const int count, const Pixel* const pixel,
                                T* const src) const {
    if (gather_.src.extent_int(3) % quad != 0) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile * slice), [&](const int i) {
        if (i % slice < count) src[i % slice * src_step + i / slice] = from[pixel[i / slice].src + i % slice];
      });
      return;
    }
    constexpr int quads = slice / quad;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, tile * quads), [&](const int i) {
      const int k = i % quads * quad;
      if (k >= count) return;
      const Quad<T> values = Quad<T>::load(from + pixel[i / quads].src + k);
      for (int j = 0; j < quad; ++j) src[(k + j) * src_step + i / quads] = values.value[j];
    });
  }

  /// [k][channel] of `count` channels of a tap; channels beyond the last are 0.
  KOKKOS_FUNCTION void load_weights(const Member& team, const int tap, const int first, const int count,
                                    const int first_channel, T* const weights) const {
    constexpr int quads = channels / quad;
    const int blocks = blocks_of(gather_.dst.extent_int(3), lanes);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, slice * quads), [&](const int i) {
      if (i / quads >= count) return;
      const int channel = first_channel + i % quads * quad;
      const std::size_t row = (static_cast<std::size_t>(channel / lanes) * (gather_.kh * gather_.kw) + tap) *
                                  gather_.src.extent_int(3) + first + i / quads;
      Quad<T> values;
      if (channel / lanes < blocks) values = Quad<T>::load(gather_.packed.data() + row * lanes + channel % lanes);
      values.store(weights + i * quad);
    });
  }

  Gather<Exec, T> gather_;
  int channel_tiles_;
};

template <int Threads = 64, class Exec, class T>
void gather_on_device(const Exec& exec, const std::string& label, const Gather<Exec, T>& gather) {
  GatherOnDevice<Exec, T, Threads>(gather).launch(exec, label);
}

}  // namespace bcr::kernels::impl

#endif
