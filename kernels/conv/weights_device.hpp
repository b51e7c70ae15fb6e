#ifndef BCR_KERNELS_CONV_WEIGHTS_DEVICE_HPP
#define BCR_KERNELS_CONV_WEIGHTS_DEVICE_HPP

#include "kernels/conv/outer_product_tile.hpp"
#include "kernels/conv/weights_sums.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: a chunk of images, a tap, and a tile of input times output channels. Pixels pass through scratch memory in
/// slices, the sums stay in registers.
template <class Exec, class T, int ThreadsPerSide>
class WeightsOnDevice {
  static constexpr int tile = 32;
  static constexpr int slice = 16;
  static constexpr int lanes = channel_block<T>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Scratch = typename Exec::scratch_memory_space;
  using Slice = Kokkos::View<T[slice][tile], Scratch, Kokkos::MemoryUnmanaged>;

  /// The pixels of a chunk that a tap meets inside the image, in the order of the chain.
  struct Pixels {
    OutputRange rows;
    OutputRange columns;
    int first_image;
    int count;
  };

 public:
  explicit WeightsOnDevice(const WeightsSums<Exec, T>& sums)
      : sums_(sums),
        input_tiles_(blocks_of(sums.src.extent_int(3), tile)),
        output_tiles_(blocks_of(sums.blocks * lanes, tile)) {}

  void launch(const Exec& exec, const std::string& label) const {
    const int teams = sums_.chunks * sums_.kh * sums_.kw * input_tiles_ * output_tiles_;
    Kokkos::TeamPolicy<Exec> policy(exec, teams, ThreadsPerSide * ThreadsPerSide);
    Kokkos::parallel_for(label, policy.set_scratch_size(0, Kokkos::PerTeam(2 * Slice::shmem_size())), *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    int index = team.league_rank();
    const int output = index % output_tiles_ * tile;
    index /= output_tiles_;
    const int input = index % input_tiles_ * tile;
    index /= input_tiles_;
    const int tap = index % (sums_.kh * sums_.kw);
    sum_tile(team, index / (sums_.kh * sums_.kw), tap, input, output);
  }

 private:
  KOKKOS_FUNCTION Pixels pixels_of(const int chunk, const int tap) const {
    const int height = sums_.diff_dst.extent_int(1);
    const int width = sums_.diff_dst.extent_int(2);
    const auto rows = outputs_of_tap(sums_.window, tap / sums_.kw, sums_.src.extent_int(1), height);
    const auto columns = outputs_of_tap(sums_.window, tap % sums_.kw, sums_.src.extent_int(2), width);
    const int first = chunk * sums_.images_per_chunk;
    const int left = sums_.src.extent_int(0) - first;
    const int images = left < sums_.images_per_chunk ? left : sums_.images_per_chunk;
    return {rows, columns, first, images * rows.count * columns.count};
  }

  KOKKOS_FUNCTION void sum_tile(const Member& team, const int chunk, const int tap, const int first_input,
                                const int first_output) const {
    const Slice src(team.team_scratch(0));
    const Slice diff_dst(team.team_scratch(0));
    const Pixels pixels = pixels_of(chunk, tap);
    OuterProductTile<T, tile, ThreadsPerSide> sums(team);
    for (int first = 0; first < pixels.count; first += slice) {
      const int count = pixels.count - first < slice ? pixels.count - first : slice;
      load_slices(team, pixels, tap, first, count, first_input, first_output, src, diff_dst);
      sums.add(src, diff_dst, count);
      team.team_barrier();
    }
    sums.for_each(sums_.src.extent_int(3) - first_input, sums_.blocks * lanes - first_output,
                  [&](const int row, const int column, const T sum) {
                    const int output = first_output + column;
                    sums_.sums(sums_.offset(chunk, output / lanes, tap) +
                               static_cast<std::size_t>(first_input + row) * lanes + output % lanes) = sum;
                  });
  }

  KOKKOS_FUNCTION void load_slices(const Member& team, const Pixels& pixels, const int tap, const int first,
                                   const int count, const int first_input, const int first_output, const Slice& src,
                                   const Slice& diff_dst) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count * tile), [&](const int index) {
      const int pixel = first + index / tile;
      const int w = pixels.columns.first + pixel % pixels.columns.count;
      const int h = pixels.rows.first + pixel / pixels.columns.count % pixels.rows.count;
      const int n = pixels.first_image + pixel / pixels.columns.count / pixels.rows.count;
      const int y = h * sums_.window.stride + tap / sums_.kw - sums_.window.pad;
      const int x = w * sums_.window.stride + tap % sums_.kw - sums_.window.pad;
      const int input = first_input + index % tile;
      const int output = sums_.first_block * lanes + first_output + index % tile;
      src(index / tile, index % tile) = input < sums_.src.extent_int(3) ? sums_.src(n, y, x, input) : T(0);
      diff_dst(index / tile, index % tile) =
          output < sums_.diff_dst.extent_int(3) ? sums_.diff_dst(n, h, w, output) : T(0);
    });
    team.team_barrier();
  }

  WeightsSums<Exec, T> sums_;
  int input_tiles_;
  int output_tiles_;
};

template <int ThreadsPerSide = 8, class Exec, class T>
void sum_on_device(const Exec& exec, const std::string& label, const WeightsSums<Exec, T>& sums) {
  WeightsOnDevice<Exec, T, ThreadsPerSide>(sums).launch(exec, label);
}

}  // namespace bcr::kernels::impl

#endif
