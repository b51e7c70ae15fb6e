#include "io/images/area_resize.hpp"

#include "src/core/error.hpp"

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::size_t channels = 3;

/// The weighted sum of the square's rows that cover output row i: one number per column and channel.
void sum_rows(const Picture& picture, const std::size_t top, const std::size_t left, const std::size_t side,
              const std::size_t size, const std::size_t i, std::vector<std::uint64_t>& sums) {
  std::fill(sums.begin(), sums.end(), 0);
  const std::size_t begin = i * side;
  const std::size_t end = begin + side;
  for (std::size_t y = begin / size; y * size < end; ++y) {
    const std::uint64_t weight = std::min(end, (y + 1) * size) - std::max(begin, y * size);
    const std::uint8_t* row = picture.rgb.data() + ((top + y) * picture.width + left) * channels;
    for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += weight * row[x];
  }
}

}  // namespace

std::vector<std::uint8_t> resize_and_crop(const Picture& picture, const std::size_t size) {
  const std::size_t side = std::min(picture.height, picture.width);
  require<ShapeError>(side > 0 && size > 0, "resize", "at least one pixel", "none");
  const std::size_t top = (picture.height - side) / 2;
  const std::size_t left = (picture.width - side) / 2;
  const std::uint64_t area = static_cast<std::uint64_t>(side) * side;
  std::vector<std::uint64_t> sums(side * channels);
  std::vector<std::uint8_t> dst(size * size * channels);
  for (std::size_t i = 0; i < size; ++i) {
    sum_rows(picture, top, left, side, size, i, sums);
    for (std::size_t j = 0; j < size; ++j) {
      const std::size_t begin = j * side;
      const std::size_t end = begin + side;
      std::uint64_t total[channels] = {};
      for (std::size_t x = begin / size; x * size < end; ++x) {
        const std::uint64_t weight = std::min(end, (x + 1) * size) - std::max(begin, x * size);
        for (std::size_t c = 0; c < channels; ++c) total[c] += weight * sums[x * channels + c];
      }
      for (std::size_t c = 0; c < channels; ++c) {
        dst[(i * size + j) * channels + c] = static_cast<std::uint8_t>((total[c] + area / 2) / area);
      }
    }
  }
  return dst;
}

}  // namespace bcr::io
