#ifndef BCR_KERNELS_CONV_PACKED_WEIGHTS_HPP
#define BCR_KERNELS_CONV_PACKED_WEIGHTS_HPP

#include "kernels/conv/lanes.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

KOKKOS_INLINE_FUNCTION constexpr int blocks_of(const int channels, const int block) {
  return (channels + block - 1) / block;
}

/// Which channels of the weights lie in the lanes: outputs (forward) or inputs (backward data).
enum class LaneChannels { output, input };

/// Elements of the packed weights [blocks, KH * KW, other channels, channel_block].
template <LaneChannels lane_channels, class T, class Weights>
std::size_t packed_size(const Weights& weights) {
  const bool output = lane_channels == LaneChannels::output;
  const auto lanes = static_cast<std::size_t>(blocks_of(weights.extent_int(output ? 3 : 2), channel_block<T>));
  return lanes * channel_block<T> * weights.extent(0) * weights.extent(1) * weights.extent(output ? 2 : 3);
}

/// One row of the packed weights: the lanes of one block, one tap and one of the other channels.
template <LaneChannels lane_channels, class Exec, class T>
struct PackWeights {
  static constexpr bool output = lane_channels == LaneChannels::output;
  static constexpr int lanes = channel_block<T>;
  ConstTensor4<T, Exec> weights;
  Vector<T, Exec> packed;
  int taps, others, channels;

  KOKKOS_FUNCTION void operator()(const int row) const {
    const int kw = weights.extent_int(1);
    const int other = row % others;
    const int tap = row / others % taps;
    const int block = row / others / taps;
    const int first = block * lanes;
    const int count = channels - first < lanes ? channels - first : lanes;
    T* const to = packed.data() + static_cast<std::size_t>(row) * lanes;
    const T* const from = &weights(tap / kw, tap % kw, output ? other : first, output ? first : other);
    const std::size_t step = output ? 1 : weights.extent(3);
    for (int lane = 0; lane < count; ++lane) to[lane] = from[lane * step];
    for (int lane = count; lane < lanes; ++lane) to[lane] = T(0);
  }
};

/// Writes the weights [KH, KW, IC, OC] so that a block of channels is contiguous over all taps; missing channels are 0.
/// Power-of-two row lengths would otherwise map the block to a few sets of the cache.
template <LaneChannels lane_channels, class Exec, class T>
void pack_weights(const Exec& exec, const ConstTensor4<T, Exec>& weights, const Vector<T, Exec>& packed) {
  using Pack = PackWeights<lane_channels, Exec, T>;
  const int taps = weights.extent_int(0) * weights.extent_int(1);
  const int others = weights.extent_int(Pack::output ? 2 : 3);
  const int channels = weights.extent_int(Pack::output ? 3 : 2);
  Kokkos::parallel_for("bcr::kernels::convolution::pack_weights",
                       Kokkos::RangePolicy<Exec>(exec, 0, blocks_of(channels, Pack::lanes) * taps * others),
                       Pack{weights, packed, taps, others, channels});
}

}  // namespace bcr::kernels::impl

#endif
