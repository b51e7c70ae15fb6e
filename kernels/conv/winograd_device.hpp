#ifndef BCR_KERNELS_CONV_WINOGRAD_DEVICE_HPP
#define BCR_KERNELS_CONV_WINOGRAD_DEVICE_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/winograd_tiles.hpp"
#include "kernels/conv/winograd_transform.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: a few tiles. Slices of transformed channels pass through scratch memory; every thread keeps the 16
/// products of one tile and one output channel in registers.
template <class Exec, class T, int Threads>
class WinogradOnDevice {
  static constexpr int lanes = channel_block<T>;
  static constexpr int team_tiles = 4;
  static constexpr int team_outputs = Threads < 32 ? 32 : Threads / team_tiles;
  static constexpr int slice = 16;
  static constexpr int own = team_tiles * team_outputs / Threads;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  // Row-major: transform_patch steps from one of the 16 to the next by a whole [team_tiles][slice].
  using Patches = Kokkos::View<T[16][team_tiles][slice], Kokkos::LayoutRight, typename Exec::scratch_memory_space,
                               Kokkos::MemoryUnmanaged>;

 public:
  explicit WinogradOnDevice(const Winograd<Exec, T>& winograd)
      : winograd_(winograd),
        grid_(TileGrid::of(winograd.dst)),
        output_tiles_(blocks_of(winograd.dst.extent_int(3), team_outputs)) {}

  void launch(const Exec& exec, const std::string& label) const {
    Kokkos::TeamPolicy<Exec> policy(exec, blocks_of(grid_.size(), team_tiles) * output_tiles_, Threads);
    Kokkos::parallel_for(label, policy.set_scratch_size(0, Kokkos::PerTeam(Patches::shmem_size())), *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int first_tile = team.league_rank() / output_tiles_ * team_tiles;
    const int first_output = team.league_rank() % output_tiles_ * team_outputs;
    const int inputs = winograd_.src.extent_int(3);
    const Patches patches(team.team_scratch(0));
    T products[own][16] = {};
    for (int c = 0; c < inputs; c += slice) {
      const int count = inputs - c < slice ? inputs - c : slice;
      transform(team, first_tile, c, count, patches);
      for (int k = 0; k < own; ++k) {
        const int index = team.team_rank() + k * Threads;
        const int oc = first_output + index % team_outputs;
        if (oc >= winograd_.dst.extent_int(3)) continue;
        for (int i = 0; i < 16; ++i) {
          const std::size_t row = (static_cast<std::size_t>(oc / lanes) * 16 + i) * inputs + c;
          for (int s = 0; s < count; ++s)
            products[k][i] = Kokkos::fma(patches(i, index / team_outputs, s),
                                         winograd_.kernels((row + s) * lanes + oc % lanes), products[k][i]);
        }
      }
      team.team_barrier();
    }
    for (int k = 0; k < own; ++k) {
      const int index = team.team_rank() + k * Threads;
      const int tile = first_tile + index / team_outputs;
      const int oc = first_output + index % team_outputs;
      if (oc >= winograd_.dst.extent_int(3) || tile >= grid_.size()) continue;
      Lane<T> y[2][2];
      transform_products(products[k], 1, y);
      winograd_.store(grid_.place(tile), oc, y);
    }
  }

 private:
  KOKKOS_FUNCTION void transform(const Member& team, const int first_tile, const int channel, const int count,
                                 const Patches& patches) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_tiles * count), [&](const int index) {
      const int tile = first_tile + index / count;
      if (tile >= grid_.size()) return;
      const T zero = T(0);
      const T* patch[16];
      winograd_.find_patch(grid_.place(tile), nullptr, patch);
      for (int i = 0; i < 16; ++i) patch[i] = patch[i] == nullptr ? &zero : patch[i] + channel + index % count;
      transform_patch<Lane<T>>(patch, 0, &patches(0, index / count, index % count), team_tiles * slice);
    });
    team.team_barrier();
  }

  Winograd<Exec, T> winograd_;
  TileGrid grid_;
  int output_tiles_;
};

}  // namespace bcr::kernels::impl

#endif
