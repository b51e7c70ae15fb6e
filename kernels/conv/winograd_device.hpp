#ifndef BCR_KERNELS_CONV_WINOGRAD_DEVICE_HPP
#define BCR_KERNELS_CONV_WINOGRAD_DEVICE_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/product_tile.hpp"
#include "kernels/conv/winograd_tiles.hpp"
#include "kernels/conv/winograd_transform.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: 32 tiles times 32 output channels, all 16 products, which 256 threads keep in registers. Slices of input
/// channels pass through scratch memory: patches, which the team transforms, and kernels, which are transformed already.
/// Then the products change hands through the same memory, and each thread finishes tiles.
template <class Exec, class T, int Threads>
class WinogradOnDevice {
  static constexpr int lanes = channel_block<T>;
  static constexpr int team_tiles = 32;
  static constexpr int team_outputs = 32;
  static constexpr int slice = static_cast<int>(32 / sizeof(T));
  static constexpr int quad = Quad<T>::width;
  // A slice's channels lie so far apart that writing a patch, channel by channel, meets no bank twice.
  static constexpr int patch_step = 16 * team_tiles + quad;
  static constexpr int kernel_step = 16 * team_outputs + 4 * quad;
  static constexpr int part = 2 * slice;  ///< output channels of all tiles whose products fit the same memory
  static constexpr int room = slice * (patch_step + kernel_step);
  static_assert(room >= 16 * team_tiles * part);
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<Threads, sizeof(T) == 4 ? 2 : 1>>;
  using Member = typename Policy::member_type;

  /// Where a patch begins in src, and which of its pixels lie inside the image (bit 4 r + c).
  struct Patch {
    std::ptrdiff_t begin;
    unsigned inside;
  };

 public:
  explicit WinogradOnDevice(const Winograd<Exec, T>& winograd)
      : winograd_(winograd),
        grid_(TileGrid::of(winograd.dst)),
        output_tiles_(blocks_of(winograd.dst.extent_int(3), team_outputs)) {}

  void launch(const Exec& exec, const std::string& label) const {
    Policy policy(exec, blocks_of(grid_.size(), team_tiles) * output_tiles_, Threads);
    const auto scratch = Kokkos::PerTeam(scratch_size<T>(room) + scratch_size<Patch>(team_tiles));
    Kokkos::parallel_for(label, policy.set_scratch_size(0, scratch), *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int first_tile = team.league_rank() / output_tiles_ * team_tiles;
    const int first_output = team.league_rank() % output_tiles_ * team_outputs;
    const int inputs = winograd_.src.extent_int(3);
    T* const patches = quad_scratch<T>(team, room);
    T* const kernels = patches + slice * patch_step;
    Patch* const places = quad_scratch<Patch>(team, team_tiles);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_tiles), [&](const int i) { places[i] = patch(first_tile + i); });
    team.team_barrier();
    ProductTile<T, 16, team_tiles, team_outputs, Threads> products(team);
    for (int c = 0; c < inputs; c += slice) {
      const int count = inputs - c < slice ? inputs - c : slice;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_tiles * slice), [&](const int index) {
        if (index % slice < count) transform(places[index / slice], c + index % slice,
                                             patches + index % slice * patch_step + index / slice);
      });
      load_kernels(team, first_output, c, count, kernels);
      team.team_barrier();
      products.add(patches, patch_step, kernels, kernel_step, count);
      team.team_barrier();
    }
    for (int begin = 0; begin < team_outputs; begin += part) {
      products.for_each_quad([&](const int matrix, const int tile, const int output, const Quad<T>& sums) {
        if (output >= begin && output < begin + part)
          sums.store(patches + (matrix * team_tiles + tile) * part + output - begin);
      });
      team.team_barrier();
      finish(team, first_tile, first_output + begin, patches);
      team.team_barrier();
    }
  }

 private:
  KOKKOS_FUNCTION Patch patch(const int tile) const {
    if (tile >= grid_.size()) return {0, 0};
    const TilePlace place = grid_.place(tile);
    const int height = winograd_.src.extent_int(1);
    const int width = winograd_.src.extent_int(2);
    const int h = place.h - winograd_.pad;
    const int w = place.w - winograd_.pad;
    unsigned inside = 0;
    for (int i = 0; i < 16; ++i) {
      const int y = h + i / 4;
      const int x = w + i % 4;
      inside |= unsigned(y >= 0 && y < height && x >= 0 && x < width) << i;
    }
    return {((place.n * height + h) * width + w) * winograd_.src.extent_int(3), inside};
  }

  KOKKOS_FUNCTION void transform(const Patch& patch, const int channel, T* const to) const {
    const int channels = winograd_.src.extent_int(3);
    const int row = winograd_.src.extent_int(2) * channels;
    const T* const from = winograd_.src.data() + patch.begin + channel;
    T value[16];
    const T* pixel[16];
    for (int i = 0; i < 16; ++i) {
      value[i] = patch.inside >> i & 1u ? from[i / 4 * row + i % 4 * channels] : T(0);
      pixel[i] = value + i;
    }
    transform_patch<Lane<T>>(pixel, 0, to, team_tiles);
  }

  /// [k][16][team_outputs] from [blocks, 16, C, lanes]; channels beyond the last are 0.
  KOKKOS_FUNCTION void load_kernels(const Member& team, const int first_output, const int channel, const int count,
                                    T* const kernels) const {
    constexpr int quads = lanes / quad;
    const int blocks = blocks_of(winograd_.dst.extent_int(3), lanes);
    const int inputs = winograd_.src.extent_int(3);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_outputs / lanes * 16 * slice * quads), [&](const int index) {
      const int k = index / quads % slice;
      const int matrix = index / (quads * slice) % 16;
      const int block = index / (quads * slice * 16);
      const int lane = index % quads * quad;
      const int from = first_output / lanes + block;
      if (k >= count) return;
      Quad<T> values;
      if (from < blocks)
        values = Quad<T>::load(winograd_.kernels.data() +
                           ((static_cast<std::size_t>(from) * 16 + matrix) * inputs + channel + k) * lanes + lane);
      values.store(kernels + k * kernel_step + matrix * team_outputs + block * lanes + lane);
    });
  }

  /// Outputs of all tiles, `part` channels from first_output on.
  KOKKOS_FUNCTION void finish(const Member& team, const int first_tile, const int first_output,
                              const T* const products) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_tiles * part), [&](const int index) {
      const int tile = first_tile + index / part;
      const int oc = first_output + index % part;
      if (oc >= winograd_.dst.extent_int(3) || tile >= grid_.size()) return;
      Lane<T> y[2][2];
      transform_products(products + index, team_tiles * part, y);
      winograd_.store(grid_.place(tile), oc, y);
    });
  }

  Winograd<Exec, T> winograd_;
  TileGrid grid_;
  int output_tiles_;
};

}  // namespace bcr::kernels::impl

#endif
