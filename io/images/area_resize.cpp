#include "io/images/area_resize.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::size_t channels = 3;

void require_inside(const Window& window, const Picture& picture) {
  const bool inside = window.height > 0 && window.width > 0 && window.top + window.height <= picture.height &&
                      window.left + window.width <= picture.width;
  require<ShapeError>(inside, "area_resize", fmt::format("a window of {} x {}", picture.height, picture.width),
                      fmt::format("{} x {} at {}, {}", window.height, window.width, window.top, window.left));
}

/// The weighted sum of the window's rows that cover output row i: one number per column and channel.
void sum_rows(const Picture& src, const Window& from, const std::size_t rows, const std::size_t i,
              std::vector<std::uint64_t>& sums) {
  std::fill(sums.begin(), sums.end(), 0);
  const std::size_t begin = i * from.height;
  const std::size_t end = begin + from.height;
  for (std::size_t y = begin / rows; y * rows < end; ++y) {
    const std::uint64_t weight = std::min(end, (y + 1) * rows) - std::max(begin, y * rows);
    const std::uint8_t* row = src.rgb.data() + ((from.top + y) * src.width + from.left) * channels;
    for (std::size_t x = 0; x < sums.size(); ++x) sums[x] += weight * row[x];
  }
}

}  // namespace

void area_resize(const Picture& src, const Window& from, Picture& dst, const Window& to) {
  require_inside(from, src);
  require_inside(to, dst);
  const std::uint64_t area = static_cast<std::uint64_t>(from.height) * from.width;
  std::vector<std::uint64_t> sums(from.width * channels);
  for (std::size_t i = 0; i < to.height; ++i) {
    sum_rows(src, from, to.height, i, sums);
    std::uint8_t* const row = dst.rgb.data() + ((to.top + i) * dst.width + to.left) * channels;
    for (std::size_t j = 0; j < to.width; ++j) {
      const std::size_t begin = j * from.width;
      const std::size_t end = begin + from.width;
      std::uint64_t total[channels] = {};
      for (std::size_t x = begin / to.width; x * to.width < end; ++x) {
        const std::uint64_t weight = std::min(end, (x + 1) * to.width) - std::max(begin, x * to.width);
        for (std::size_t c = 0; c < channels; ++c) total[c] += weight * sums[x * channels + c];
      }
      for (std::size_t c = 0; c < channels; ++c)
        row[j * channels + c] = static_cast<std::uint8_t>((total[c] + area / 2) / area);
    }
  }
}

}  // namespace bcr::io
