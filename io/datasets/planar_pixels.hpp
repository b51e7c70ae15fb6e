#ifndef BCR_IO_DATASETS_PLANAR_PIXELS_HPP
#define BCR_IO_DATASETS_PLANAR_PIXELS_HPP

#include <cstddef>
#include <cstdint>

namespace bcr::io {

/// dst(p, c) = src(c, p): one image of `pixels` pixels from planes (all red, all green, all blue) to RGB RGB ...
inline void interleave_planes(const std::uint8_t* src, const std::size_t pixels, std::uint8_t* dst) {
  for (std::size_t p = 0; p < pixels; ++p) {
    dst[3 * p] = src[p];
    dst[3 * p + 1] = src[pixels + p];
    dst[3 * p + 2] = src[2 * pixels + p];
  }
}

}  // namespace bcr::io

#endif
