#include "io/images/orientation.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace bcr::io {

namespace {

constexpr std::uint64_t orientation_tag = 0x0112;
constexpr std::uint64_t short_type = 3;
constexpr std::size_t entry_bytes = 12;

/// Numbers of a TIFF file, little- ("II") or big-endian ("MM"). Beyond its end everything is 0.
class Tiff {
 public:
  explicit Tiff(const std::span<const std::uint8_t> bytes)
      : bytes_(bytes), big_(bytes.size() >= 2 && bytes[0] == 'M' && bytes[1] == 'M') {}

  std::uint64_t number(const std::size_t at, const std::size_t length) const {
    if (at > bytes_.size() || bytes_.size() - at < length) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < length; ++i) value = value << 8 | bytes_[at + (big_ ? i : length - 1 - i)];
    return value;
  }
  bool is_tiff() const {
    const bool known = big_ || (bytes_.size() >= 2 && bytes_[0] == 'I' && bytes_[1] == 'I');
    return known && number(2, 2) == 42;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  bool big_;
};

}  // namespace

int exif_orientation(std::span<const std::uint8_t> block) {
  constexpr std::array<std::uint8_t, 6> head = {'E', 'x', 'i', 'f', 0, 0};
  if (block.size() >= head.size() && std::equal(head.begin(), head.end(), block.begin()))
    block = block.subspan(head.size());
  const Tiff tiff(block);
  if (!tiff.is_tiff()) return 1;
  const auto directory = static_cast<std::size_t>(tiff.number(4, 4));
  const std::uint64_t entries = tiff.number(directory, 2);
  for (std::uint64_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + static_cast<std::size_t>(i) * entry_bytes;
    if (entry >= block.size()) break;
    if (tiff.number(entry, 2) != orientation_tag || tiff.number(entry + 2, 2) != short_type) continue;
    const std::uint64_t value = tiff.number(entry + 8, 2);
    return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

Picture upright(Picture picture, const int orientation) {
  if (orientation <= 1 || orientation > 8) return picture;
  const bool swaps = orientation >= 5;
  const bool from_below = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  const bool from_right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  Picture dst{swaps ? picture.width : picture.height, swaps ? picture.height : picture.width, {}};
  dst.rgb.resize(picture.rgb.size());
  for (std::size_t i = 0; i < dst.height; ++i) {
    for (std::size_t j = 0; j < dst.width; ++j) {
      // Mirrored as seen in dst, then swapped.
      const std::size_t row = from_below ? dst.height - 1 - i : i;
      const std::size_t column = from_right ? dst.width - 1 - j : j;
      const std::size_t y = swaps ? column : row;
      const std::size_t x = swaps ? row : column;
      std::memcpy(dst.rgb.data() + (i * dst.width + j) * 3, picture.rgb.data() + (y * picture.width + x) * 3, 3);
    }
  }
  return dst;
}

}  // namespace bcr::io
