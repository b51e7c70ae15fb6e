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

/// Scales the centred square of side min(H, W) to side `size` by area averaging, which is the same as scaling the
/// shorter side to `size` and cropping the centre:
///   dst(i, j) = round( sum_{y, x} |[y, y+1) n [i r, (i+1) r)| |[x, x+1) n [j r, (j+1) r)| src(y, x) / r^2 ),
/// r = side / size. Exact: all weights are integers in units of 1 / size; halves round up.
std::vector<std::uint8_t> resize_and_crop(const Picture& picture, std::size_t size);

}  // namespace bcr::io

#endif
