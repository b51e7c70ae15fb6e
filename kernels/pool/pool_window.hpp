#ifndef BCR_KERNELS_POOL_POOL_WINDOW_HPP
#define BCR_KERNELS_POOL_POOL_WINDOW_HPP

#include "src/core/views.hpp"

#include <string>
#include <string_view>

namespace bcr::kernels {

/// Windows of kernel x kernel pixels, `stride` apart, over an image with `pad` pixels around it. pad <= kernel / 2, so
/// that every window holds a pixel of the image.
struct PoolWindow {
  int kernel = 2;
  int stride = 2;
  int pad = 0;

  /// Windows along an axis of `extent` pixels.
  constexpr int outputs(const int extent) const {
    return extent == 0 || extent + 2 * pad < kernel ? 0 : (extent + 2 * pad - kernel) / stride + 1;
  }
};

namespace impl {

/// Throws unless src [N, H, W, C] and dst [N, OH, OW, C] fit together.
template <class Src, class Dst>
void require_pooling(const std::string_view operation, const PoolWindow& window, const Src& src, const Dst& dst,
                     const Where where = Where::here()) {
  if (window.kernel < 1 || window.stride < 1 || window.pad < 0 || window.pad > window.kernel / 2) {
    throw ShapeError(
        operation, "kernel >= 1, stride >= 1 and pad from 0 to kernel / 2",
        std::to_string(window.kernel) + ", " + std::to_string(window.stride) + ", " + std::to_string(window.pad),
        where);
  }
  const auto height = static_cast<std::size_t>(window.outputs(src.extent_int(1)));
  const auto width = static_cast<std::size_t>(window.outputs(src.extent_int(2)));
  require_shape(operation, "dst", dst, {src.extent(0), height, width, src.extent(3)}, where);
}

}  // namespace impl
}  // namespace bcr::kernels

#endif
