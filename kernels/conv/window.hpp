#ifndef BCR_KERNELS_CONV_WINDOW_HPP
#define BCR_KERNELS_CONV_WINDOW_HPP

#include "src/core/error.hpp"
#include "src/core/views.hpp"

#include <string>

namespace bcr::kernels {

/// How a convolution walks over an image. Kernels have 1 to 7 taps along an axis, pad is smaller than that.
struct ConvolutionWindow {
  int stride = 1;
  int pad = 0;

  /// Outputs along an axis of `extent` inputs and `taps` taps.
  constexpr int outputs(const int extent, const int taps) const {
    return extent + 2 * pad < taps ? 0 : (extent + 2 * pad - taps) / stride + 1;
  }
};

/// What the chain of additions of an output element starts from.
enum class ChainStart {
  zero,
  bias,  ///< bias(channel)
  dst    ///< the value that the output holds: a residual or a second gradient is added without another pass
};

namespace impl {

/// Throws unless src [N, H, W, IC], weights [KH, KW, IC, OC] and dst [N, OH, OW, OC] fit together.
template <class Src, class Weights, class Dst>
void require_convolution(const std::string_view operation, const ConvolutionWindow& window, const Src& src,
                         const Weights& weights, const Dst& dst, const Where where = Where::here()) {
  const int kh = weights.extent_int(0);
  const int kw = weights.extent_int(1);
  if (kh < 1 || kh > 7 || kw < 1 || kw > 7)
    throw ShapeError(operation, "a kernel of 1 to 7 taps along each axis", shape_text(shape(weights)), where);
  if (window.stride < 1 || window.stride > 4)
    throw ShapeError(operation, "a stride from 1 to 4", std::to_string(window.stride), where);
  if (window.pad < 0 || window.pad >= kh || window.pad >= kw)
    throw ShapeError(operation, "a pad from 0 to taps - 1", std::to_string(window.pad), where);
  require_shape(operation, "weights", weights, {weights.extent(0), weights.extent(1), src.extent(3), dst.extent(3)},
                where);
  const auto oh = static_cast<std::size_t>(window.outputs(src.extent_int(1), kh));
  const auto ow = static_cast<std::size_t>(window.outputs(src.extent_int(2), kw));
  require_shape(operation, "dst", dst, {src.extent(0), oh, ow, weights.extent(3)}, where);
}

/// Throws unless the weights are those of 3 x 3 taps.
template <class Weights>
void require_three_taps(const std::string_view operation, const Weights& weights, const Where where = Where::here()) {
  require_shape(operation, "weights", weights, {3, 3, weights.extent(2), weights.extent(3)}, where);
}

/// Throws unless the workspace is large enough.
template <class View>
void require_workspace(const std::string_view operation, const View& workspace, const std::size_t needed,
                       const Where where = Where::here()) {
  if (workspace.extent(0) >= needed) return;
  throw ShapeError(operation, "a workspace of at least " + std::to_string(needed) + " elements",
                   std::to_string(workspace.extent(0)), where);
}

}  // namespace impl
}  // namespace bcr::kernels

#endif
