#ifndef BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_DEVICE_HPP
#define BCR_KERNELS_CONV_WINOGRAD_WEIGHTS_DEVICE_HPP

#include "kernels/conv/product_tile.hpp"
#include "kernels/conv/winograd_transform.hpp"
#include "kernels/conv/winograd_weights_sums.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: a chunk of tiles, four of the 16 matrices, and a square of input times output channels. The four are a row
/// of the transformed patch: it takes two rows of the patch, so that a quarter of the work takes half of the reading, and
/// there are teams for all of a device. Tiles pass through scratch memory in slices.
template <class Exec, class T, int Threads>
class WinogradWeightsOnDevice {
  static constexpr int square = 32;
  static constexpr int slice = 8;
  static constexpr int step = 4 * square;
  static constexpr int batch = 64;  ///< tiles whose places are found at once
  static constexpr int lanes = channel_block<T>;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<Threads, sizeof(T) == 4 ? 8 : 4>>;
  using Member = typename Policy::member_type;

  /// Where the patch and the outputs of a tile begin, and which of their rows (bits 0 to 3) and columns (from bit 4)
  /// lie inside the image.
  struct Place {
    std::ptrdiff_t src;
    std::ptrdiff_t diff_dst;
    unsigned src_inside;
    unsigned diff_inside;
  };

 public:
  explicit WinogradWeightsOnDevice(const WinogradWeightsSums<Exec, T>& sums)
      : sums_(sums),
        input_squares_(blocks_of(sums.src.extent_int(3), square)),
        output_squares_(blocks_of(sums.blocks * lanes, square)) {}

  void launch(const Exec& exec, const std::string& label) const {
    const int teams = sums_.chunks * 4 * input_squares_ * output_squares_;
    const auto scratch = Kokkos::PerTeam(2 * scratch_size<T>(slice * step) + scratch_size<Place>(batch));
    Kokkos::parallel_for(label, Policy(exec, teams, Threads).set_scratch_size(0, scratch), *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    int index = team.league_rank();
    const int output = index % output_squares_ * square;
    index /= output_squares_;
    const int input = index % input_squares_ * square;
    index /= input_squares_;
    sum_square(team, index / 4, index % 4, input, output);
  }

 private:
  KOKKOS_FUNCTION void sum_square(const Member& team, const int chunk, const int row, const int first_input,
                                  const int first_output) const {
    T* const patches = quad_scratch<T>(team, slice * step);
    T* const gradients = quad_scratch<T>(team, slice * step);
    Place* const places = quad_scratch<Place>(team, batch);
    ProductTile<T, 4, square, square, Threads> sums(team);
    const int tiles = sums_.tiles_of(chunk);
    for (int first = 0; first < tiles; first += slice) {
      const int count = tiles - first < slice ? tiles - first : slice;
      if (first % batch == 0) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, batch), [&](const int i) {
          if (first + i < tiles) places[i] = place(chunk * sums_.tiles_per_chunk + first + i);
        });
        team.team_barrier();
      }
      const Place* const some = places + first % batch;
      const int output = sums_.first_block * lanes + first_output;
      if (whole_quads())
        transform<Quad<T>>(team, some, count, row, first_input, output, patches, gradients);
      else
        transform<Lane<T>>(team, some, count, row, first_input, output, patches, gradients);
      team.team_barrier();
      sums.add(patches, step, gradients, step, count);
      team.team_barrier();
    }
    store(sums, chunk, row, first_input, first_output);
  }

  KOKKOS_FUNCTION Place place(const int tile) const {
    const TilePlace at = sums_.grid.place(tile);
    const int h = at.h - sums_.pad;
    const int w = at.w - sums_.pad;
    const auto begin = [&](const ConstTensor4<T, Exec>& view, const int y, const int x) {
      return ((at.n * view.extent_int(1) + y) * view.extent_int(2) + x) * view.extent_int(3);
    };
    const auto inside = [](const ConstTensor4<T, Exec>& view, const int y, const int x) {
      unsigned bits = 0;
      for (int i = 0; i < 4; ++i) {
        bits |= unsigned(y + i >= 0 && y + i < view.extent_int(1)) << i;
        bits |= unsigned(x + i >= 0 && x + i < view.extent_int(2)) << (4 + i);
      }
      return bits;
    };
    return {begin(sums_.src, h, w), begin(sums_.diff_dst, at.h, at.w), inside(sums_.src, h, w),
            inside(sums_.diff_dst, at.h, at.w)};
  }

  KOKKOS_FUNCTION bool whole_quads() const {
    return sums_.src.extent_int(3) % Quad<T>::width == 0 && sums_.diff_dst.extent_int(3) % Quad<T>::width == 0;
  }

  /// Row `row` of the patches and gradients of `count` tiles, a Value of channels at a time.
  template <class Value>
  KOKKOS_FUNCTION void transform(const Member& team, const Place* const places, const int count, const int row,
                                 const int first_input, const int first_output, T* const patches,
                                 T* const gradients) const {
    constexpr int values = static_cast<int>(square * sizeof(T) / sizeof(Value));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, slice * values), [&](const int index) {
      if (index / values >= count) return;
      const Place& tile = places[index / values];
      const int c = index % values * (square / values);
      const int to = index / values * step + c;
      transform_patch_row<Value>(tile, row, first_input + c, patches + to);
      transform_gradient_row<Value>(tile, row, first_output + c, gradients + to);
    });
  }

  template <class Value>
  KOKKOS_FUNCTION static Value value(const ConstTensor4<T, Exec>& view, const std::ptrdiff_t begin,
                                     const unsigned inside, const int r, const int c, const int channel) {
    const int channels = view.extent_int(3);
    const bool exists = (inside >> r & inside >> (4 + c) & 1u) && channel < channels;
    return exists ? Value::load(view.data() + begin + (r * view.extent_int(2) + c) * channels + channel) : Value{};
  }

  /// Row `row` of B^T d B.
  template <class Value>
  KOKKOS_FUNCTION void transform_patch_row(const Place& tile, const int row, const int channel, T* const to) const {
    Value t[4];
    for (int c = 0; c < 4; ++c)
      t[c] = patch_element(
          row, [&](const int r) { return value<Value>(sums_.src, tile.src, tile.src_inside, r, c, channel); });
    for (int c = 0; c < 4; ++c) patch_element(c, [&](const int k) { return t[k]; }).store(to + c * square);
  }

  /// Row `row` of A y A^T, with the signs of gradient_element.
  template <class Value>
  KOKKOS_FUNCTION void transform_gradient_row(const Place& tile, const int row, const int channel, T* const to) const {
    Value t[2];
    for (int c = 0; c < 2; ++c)
      t[c] = gradient_element(row, [&](const int r) {
        return value<Value>(sums_.diff_dst, tile.diff_dst, tile.diff_inside, r, c, channel);
      });
    for (int c = 0; c < 4; ++c) gradient_element(c, [&](const int k) { return t[k]; }).store(to + c * square);
  }

  template <class Sums>
  KOKKOS_FUNCTION void store(Sums& sums, const int chunk, const int row, const int first_input,
                             const int first_output) const {
    sums.for_each_quad([&](const int matrix, const int i, const int j, const Quad<T>& quad) {
      const int input = first_input + i;
      const int output = first_output + j;
      if (input >= sums_.src.extent_int(3) || output >= sums_.blocks * lanes) return;
      quad.store(sums_.sums.data() + sums_.offset(chunk, output / lanes, 4 * row + matrix) +
                           static_cast<std::size_t>(input) * lanes + output % lanes);
    });
  }

  WinogradWeightsSums<Exec, T> sums_;
  int input_squares_;
  int output_squares_;
};

}  // namespace bcr::kernels::impl

#endif
