#ifndef BCR_IO_IMAGES_AREA_RESIZE_HPP
#define BCR_IO_IMAGES_AREA_RESIZE_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bcr::io {

/// One decoded picture, RGB, row-major.
struct Picture {
  std::size_t height = 0;
  std::size_t width = 0;
  std::vector<std::uint8_t> rgb;
};

/// A rectangle of pixels.
struct Window {
  std::size_t top = 0;
  std::size_t left = 0;
  std::size_t height = 0;
  std::size_t width = 0;
};

/// Scales the window `from` of src to the window `to` of dst by area averaging:
///   dst(i, j) = round( sum_{y, x} |[y, y+1) n [i r, (i+1) r)| |[x, x+1) n [j q, (j+1) q)| src(y, x) / (r q) ),
/// r = from.height / to.height, q = from.width / to.width, places counted in their windows. Exact: all weights are
/// integers in units of 1 / to.height and 1 / to.width; halves round up. A ShapeError for a window that is empty or
/// lies outside.
void area_resize(const Picture& src, const Window& from, Picture& dst, const Window& to);

}  // namespace bcr::io

#endif
