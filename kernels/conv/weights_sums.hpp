#ifndef BCR_KERNELS_CONV_WEIGHTS_SUMS_HPP
#define BCR_KERNELS_CONV_WEIGHTS_SUMS_HPP

#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/window.hpp"
#include "src/core/views.hpp"

#include <cstddef>

namespace bcr::kernels::impl {

/// Outputs first, ..., first + count - 1 along an axis: those whose tap lies inside the image.
struct OutputRange {
  int first;
  int count;
};

/// Output o reads input o * stride + tap - pad.
KOKKOS_INLINE_FUNCTION OutputRange outputs_of_tap(const ConvolutionWindow& window, const int tap, const int inputs,
                                                  const int outputs) {
  const int before = window.pad - tap;
  const int first = before > 0 ? (before + window.stride - 1) / window.stride : 0;
  const int room = inputs - 1 + before;
  const int end = room < 0 ? 0 : room / window.stride + 1;
  const int last = end < outputs ? end : outputs;
  return {first, last > first ? last - first : 0};
}

/// The sums of every chunk of images, for `blocks` blocks of output channels from `first_block` on:
///   sums [chunks, blocks, KH * KW, IC, channel_block].
template <class Exec, class T>
struct WeightsSums {
  ConvolutionWindow window;
  ConstTensor4<T, Exec> src;
  ConstTensor4<T, Exec> diff_dst;
  Vector<T, Exec> sums;
  int kh;
  int kw;
  int images_per_chunk;
  int chunks;
  int first_block;
  int blocks;

  /// Where the sums [IC, channel_block] of a chunk, a block and a tap begin.
  KOKKOS_INLINE_FUNCTION std::size_t offset(const int chunk, const int block, const int tap) const {
    const std::size_t row = (static_cast<std::size_t>(chunk) * blocks + block) * (kh * kw) + tap;
    return row * src.extent(3) * channel_block<T>;
  }
};

}  // namespace bcr::kernels::impl

#endif
