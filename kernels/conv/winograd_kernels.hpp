#ifndef BCR_KERNELS_CONV_WINOGRAD_KERNELS_HPP
#define BCR_KERNELS_CONV_WINOGRAD_KERNELS_HPP

#include "kernels/conv/bf16_pairs.hpp"
#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/winograd_transform.hpp"
#include "src/core/launch.hpp"
#include "src/core/views.hpp"

#include <cstddef>
#include <type_traits>

namespace bcr::kernels::impl {

/// kernels [blocks, 16, other channels, channel_block] = G g G^T; for the gradient g is turned round. As Bf16 (host
/// only) two other channels make pairs: [blocks, 16, other channels / 2, channel_block, 2].
template <LaneChannels lane_channels, class Exec, class T, class Stored = T>
struct TransformKernels {
  static constexpr bool output = lane_channels == LaneChannels::output;
  static constexpr int lanes = channel_block<T>;
  static constexpr int width = std::is_same_v<Stored, T> ? 1 : 2;  ///< other channels at a time

  ConstTensor4<T, Exec> weights;
  Stored* kernels;
  int steps = weights.extent_int(output ? 2 : 3) / width;
  int channels = weights.extent_int(output ? 3 : 2);

  int rows() const { return blocks_of(channels, lanes) * steps; }

  /// A row is a block of channels and one, or two, of the others. A host does it at once, a device a channel at a time.
  KOKKOS_FUNCTION void operator()(const int index) const {
    if constexpr (is_host_exec<Exec>) {
      KOKKOS_IF_ON_HOST((transform_row(index);))
    } else {
      transform_lane(index / lanes, index % lanes);
    }
  }

 private:
  KOKKOS_FUNCTION T weight(const int tap, const int other, const int channel) const {
    if (channel >= channels) return T(0);
    return output ? weights(tap / 3, tap % 3, other, channel) : weights(2 - tap / 3, 2 - tap % 3, channel, other);
  }

  KOKKOS_FUNCTION Stored* place(const int row) const {
    return kernels + (std::size_t(row / steps) * 16 * steps + row % steps) * lanes * width;
  }

  KOKKOS_FUNCTION void transform_lane(const int row, const int lane) const {
    Lane<T> g[9];
    for (int tap = 0; tap < 9; ++tap) g[tap].value = weight(tap, row % steps, row / steps * lanes + lane);
    transform_kernel(g, place(row) + lane, std::size_t(steps) * lanes);
  }

  Lanes<T> block(const int tap, const int other, const int first) const {
    if (output && first + lanes <= channels) return Lanes<T>::load(&weights(tap / 3, tap % 3, other, first));
    alignas(64) T values[lanes];
    for (int lane = 0; lane < lanes; ++lane) values[lane] = weight(tap, other, first + lane);
    return Lanes<T>::load(values);
  }

  void transform_row(const int row) const {
    const int first = row / steps * lanes;
    const int other = row % steps * width;
    const std::size_t step = std::size_t(steps) * lanes * width;
    if constexpr (width == 1) {
      Lanes<T> g[9];
      for (int tap = 0; tap < 9; ++tap) g[tap] = block(tap, other, first);
      transform_kernel(g, place(row), step);
    } else {
      PairedLanes g[9];
      for (int tap = 0; tap < 9; ++tap) g[tap] = {block(tap, other, first), block(tap, other + 1, first)};
      transform_kernel(g, place(row), step);
    }
  }
};

template <LaneChannels lane_channels, class Exec, class T, class Stored>
void transform_kernels(const Exec& exec, const ConstTensor4<T, Exec>& weights, Stored* const kernels) {
  const TransformKernels<lane_channels, Exec, T, Stored> transform{weights, kernels};
  const int items = is_host_exec<Exec> ? transform.rows() : transform.rows() * channel_block<T>;
  Kokkos::parallel_for("bcr::kernels::winograd::transform_kernels", Kokkos::RangePolicy<Exec>(exec, 0, items),
                       transform);
}

/// Elements of them.
template <LaneChannels lane_channels, class T, class Weights>
std::size_t transformed_size(const Weights& weights) {
  return packed_size<lane_channels, T>(weights) / 9 * 16;
}

}  // namespace bcr::kernels::impl

#endif
