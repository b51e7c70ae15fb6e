#ifndef BCR_KERNELS_CONV_AXIS_SEGMENTS_HPP
#define BCR_KERNELS_CONV_AXIS_SEGMENTS_HPP

#include "kernels/conv/window.hpp"

#include <Kokkos_Core.hpp>

namespace bcr::kernels::impl {

/// Outputs along one axis that meet the same taps inside the image: first, first + step, ... (count of them).
/// Output i of the segment reads tap number t (weight index tap + t * tap_step) at
/// source index src + i * src_step + t * src_tap_step. The rest of the kernel hangs over the border and is skipped.
struct AxisSegment {
  int first;
  int step;
  int count;
  int tap;
  int tap_step;
  int taps;
  int src;
  int src_step;
  int src_tap_step;
};

/// The segments of an axis: the border rows and the interior.
struct AxisSegments {
  Kokkos::Array<AxisSegment, 32> segment;
  int size = 0;
};

/// Segments over the outputs of a forward convolution: output o reads input o * stride + k - pad for tap k.
AxisSegments forward_segments(const ConvolutionWindow& window, int inputs, int taps);

/// Segments over the inputs, for the gradient: input i receives from output (i + pad - k) / stride for every tap k
/// that divides without remainder.
AxisSegments backward_segments(const ConvolutionWindow& window, int inputs, int taps);

}  // namespace bcr::kernels::impl

#endif
