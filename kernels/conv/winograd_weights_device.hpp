#ifndef BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_DEVICE_HPP
#define BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_DEVICE_HPP

#include "kernels/conv/outer_product_tile.hpp"
#include "kernels/conv/winograd_transform.hpp"
#include "kernels/conv/winograd_weights_sums.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: a chunk of tiles, one of the 16 matrices, and a square of input times output channels. Of a patch only the
/// four pixels that meet in the element of this matrix are read. Tiles pass through scratch memory in slices.
template <class Exec, class T, int ThreadsPerSide>
class WinogradWeightsOnDevice {
  static constexpr int square = 32;
  static constexpr int slice = 16;
  static constexpr int lanes = channel_block<T>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Slice = Kokkos::View<T[slice][square], typename Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;

 public:
  explicit WinogradWeightsOnDevice(const WinogradWeightsSums<Exec, T>& sums)
      : sums_(sums),
        input_squares_(blocks_of(sums.src.extent_int(3), square)),
        output_squares_(blocks_of(sums.blocks * lanes, square)) {}

  void launch(const Exec& exec, const std::string& label) const {
    const int teams = sums_.chunks * 16 * input_squares_ * output_squares_;
    Kokkos::TeamPolicy<Exec> policy(exec, teams, ThreadsPerSide * ThreadsPerSide);
    Kokkos::parallel_for(label, policy.set_scratch_size(0, Kokkos::PerTeam(2 * Slice::shmem_size())), *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    int index = team.league_rank();
    const int output = index % output_squares_ * square;
    index /= output_squares_;
    const int input = index % input_squares_ * square;
    index /= input_squares_;
    sum_square(team, index / 16, index % 16, input, output);
  }

 private:
  KOKKOS_FUNCTION void sum_square(const Member& team, const int chunk, const int matrix, const int first_input,
                                  const int first_output) const {
    const Slice patches(team.team_scratch(0));
    const Slice gradients(team.team_scratch(0));
    OuterProductTile<T, square, ThreadsPerSide> sums(team);
    const int tiles = sums_.tiles_of(chunk);
    for (int first = 0; first < tiles; first += slice) {
      const int count = tiles - first < slice ? tiles - first : slice;
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count * square), [&](const int index) {
        const TilePlace place = sums_.grid.place(chunk * sums_.tiles_per_chunk + first + index / square);
        const int c = index % square;
        patches(index / square, c) = patch(place, matrix, first_input + c);
        gradients(index / square, c) = gradient(place, matrix, sums_.first_block * lanes + first_output + c);
      });
      team.team_barrier();
      sums.add(patches, gradients, count);
      team.team_barrier();
    }
    sums.for_each(sums_.src.extent_int(3) - first_input, sums_.blocks * lanes - first_output,
                  [&](const int row, const int column, const T sum) {
                    const int output = first_output + column;
                    sums_.sums(sums_.offset(chunk, output / lanes, matrix) +
                               static_cast<std::size_t>(first_input + row) * lanes + output % lanes) = sum;
                  });
  }

  /// Element `matrix` of B^T d B.
  KOKKOS_FUNCTION T patch(const TilePlace& tile, const int matrix, const int channel) const {
    return patch_element(matrix % 4, [&](const int c) {
      return patch_element(matrix / 4, [&](const int r) {
        return value(sums_.src, tile.n, tile.h - sums_.pad + r, tile.w - sums_.pad + c, channel);
      });
    });
  }

  /// Element `matrix` of A y A^T, with the signs of gradient_element.
  KOKKOS_FUNCTION T gradient(const TilePlace& tile, const int matrix, const int channel) const {
    return gradient_element(matrix % 4, [&](const int c) {
      return gradient_element(
          matrix / 4, [&](const int r) { return value(sums_.diff_dst, tile.n, tile.h + r, tile.w + c, channel); });
    });
  }

  KOKKOS_FUNCTION static T value(const ConstTensor4<T, Exec>& view, const std::ptrdiff_t n, const int h, const int w,
                                 const int channel) {
    const bool inside =
        h >= 0 && h < view.extent_int(1) && w >= 0 && w < view.extent_int(2) && channel < view.extent_int(3);
    return inside ? view(n, h, w, channel) : T(0);
  }

  WinogradWeightsSums<Exec, T> sums_;
  int input_squares_;
  int output_squares_;
};

}  // namespace bcr::kernels::impl

#endif
