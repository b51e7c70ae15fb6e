#ifndef BCR_KERNELS_CONV_WEIGHTS_DEVICE_HPP
#define BCR_KERNELS_CONV_WEIGHTS_DEVICE_HPP

#include "kernels/conv/product_tile.hpp"
#include "kernels/conv/weights_sums.hpp"

#include <cstddef>
#include <string>

namespace bcr::kernels::impl {

/// One team: a chunk of images, a tap, and a tile of `inputs` times 32 channels. Pixels pass through scratch memory in
/// slices, the sums stay in registers.
template <class Exec, class T, int inputs, int Threads>
class WeightsOnDevice {
  static constexpr int tile = 32;  ///< output channels
  static constexpr int slice = 16;
  static constexpr int batch = 64;  ///< pixels that are found at once
  static constexpr int lanes = channel_block<T>;
  static constexpr int quad = Quad<T>::width;
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<Threads, 8>>;
  using Member = typename Policy::member_type;

  /// The pixels of a chunk that a tap meets inside the image, in the order of the chain.
  struct Pixels {
    OutputRange rows;
    OutputRange columns;
    int first_image;
    int count;
  };

  /// Where the channels of a pixel begin.
  struct Pixel {
    std::ptrdiff_t src;
    std::ptrdiff_t diff_dst;
  };

 public:
  explicit WeightsOnDevice(const WeightsSums<Exec, T>& sums)
      : sums_(sums),
        input_tiles_(blocks_of(sums.src.extent_int(3), inputs)),
        output_tiles_(blocks_of(sums.blocks * lanes, tile)) {}

  void launch(const Exec& exec, const std::string& label) const {
    const int teams = sums_.chunks * sums_.kh * sums_.kw * input_tiles_ * output_tiles_;
    const auto scratch = Kokkos::PerTeam(2 * scratch_size<T>(slice * tile) + scratch_size<Pixel>(batch));
    Kokkos::parallel_for(label, Policy(exec, teams, Threads).set_scratch_size(0, scratch), *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    int index = team.league_rank();
    const int output = index % output_tiles_ * tile;
    index /= output_tiles_;
    const int input = index % input_tiles_ * inputs;
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

  KOKKOS_FUNCTION Pixel find_pixel(const Pixels& pixels, const int tap, const int pixel) const {
    const int w = pixels.columns.first + pixel % pixels.columns.count;
    const int h = pixels.rows.first + pixel / pixels.columns.count % pixels.rows.count;
    const std::ptrdiff_t n = pixels.first_image + pixel / pixels.columns.count / pixels.rows.count;
    const int y = h * sums_.window.stride + tap / sums_.kw - sums_.window.pad;
    const int x = w * sums_.window.stride + tap % sums_.kw - sums_.window.pad;
    const auto begin = [&](const ConstTensor4<T, Exec>& view, const int row, const int column) {
      return ((n * view.extent_int(1) + row) * view.extent_int(2) + column) * view.extent_int(3);
    };
    return {begin(sums_.src, y, x), begin(sums_.diff_dst, h, w)};
  }

  KOKKOS_FUNCTION void sum_tile(const Member& team, const int chunk, const int tap, const int first_input,
                                const int first_output) const {
    T* const src = quad_scratch<T>(team, slice * inputs);
    T* const diff_dst = quad_scratch<T>(team, slice * tile);
    Pixel* const found = quad_scratch<Pixel>(team, batch);
    const Pixels pixels = pixels_of(chunk, tap);
    ProductTile<T, 1, inputs, tile, Threads, 4> sums(team);
    for (int first = 0; first < pixels.count; first += slice) {
      const int count = pixels.count - first < slice ? pixels.count - first : slice;
      if (first % batch == 0) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, batch), [&](const int i) {
          if (first + i < pixels.count) found[i] = find_pixel(pixels, tap, first + i);
        });
        team.team_barrier();
      }
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, slice * tile / quad), [&](const int index) {
        const int k = index / (tile / quad);
        const int c = index % (tile / quad) * quad;
        if (k >= count) return;
        const Pixel& pixel = found[first % batch + k];
        if (c < inputs) channels(sums_.src, pixel.src, first_input + c).store(src + k * inputs + c);
        channels(sums_.diff_dst, pixel.diff_dst, sums_.first_block * lanes + first_output + c)
            .store(diff_dst + k * tile + c);
      });
      team.team_barrier();
      sums.add(src, inputs, diff_dst, tile, count);
      team.team_barrier();
    }
    store(sums, chunk, tap, first_input, first_output);
  }

  /// Neighbouring channels of a pixel; those beyond the last are 0.
  KOKKOS_FUNCTION static Quad<T> channels(const ConstTensor4<T, Exec>& view, const std::ptrdiff_t begin,
                                          const int channel) {
    const int all = view.extent_int(3);
    const T* const from = view.data() + begin + channel;
    Quad<T> values;
    if (all % quad == 0) return channel < all ? Quad<T>::load(from) : values;
    for (int i = 0; i < quad; ++i)
      if (channel + i < all) values.value[i] = from[i];
    return values;
  }

  template <class Sums>
  KOKKOS_FUNCTION void store(Sums& sums, const int chunk, const int tap, const int first_input,
                             const int first_output) const {
    sums.for_each_quad([&](int, const int i, const int j, const Quad<T>& values) {
      const int input = first_input + i;
      const int output = first_output + j;
      if (input >= sums_.src.extent_int(3) || output >= sums_.blocks * lanes) return;
      values.store(sums_.sums.data() + sums_.offset(chunk, output / lanes, tap) +
                             static_cast<std::size_t>(input) * lanes + output % lanes);
    });
  }

  WeightsSums<Exec, T> sums_;
  int input_tiles_;
  int output_tiles_;
};

/// The first layers of a network have few channels: a tile half as high wastes less.
template <bool on_one_thread = false, class Exec, class T>
void sum_on_device(const Exec& exec, const std::string& label, const WeightsSums<Exec, T>& sums) {
  if (sums.src.extent_int(3) <= 16)
    WeightsOnDevice<Exec, T, 16, on_one_thread ? 1 : 32>(sums).launch(exec, label);
  else
    WeightsOnDevice<Exec, T, 32, on_one_thread ? 1 : 64>(sums).launch(exec, label);
}

}  // namespace bcr::kernels::impl

#endif
