#include "io/images/picture_file.hpp"

#include "io/bytes/input_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace bcr::io {

namespace {

// "Bitmap Storage" of the Windows documentation: a file header of 14 bytes, then an information header that begins with
// its own length: 12 (OS/2), 40, or longer with the masks inside; masks or a palette; rows, each filled up to 4 bytes.
constexpr std::size_t file_header = 14;
constexpr std::uint32_t core_header = 12;
constexpr std::uint32_t info_header = 40;
enum Compression : std::uint32_t { none = 0, bit_fields = 3, alpha_bit_fields = 6 };

/// Where a channel stands in a pixel of 16 or 32 bits.
struct Mask {
  std::uint32_t bits = 0;

  /// Scaled to 0 ... 255, rounded to the nearest.
  std::uint8_t take(const std::uint32_t pixel) const {
    if (bits == 0) return 0;
    const int shift = std::countr_zero(bits);
    const std::uint64_t largest = bits >> shift;
    return static_cast<std::uint8_t>((std::uint64_t{(pixel & bits) >> shift} * 255 + largest / 2) / largest);
  }
};

struct Layout {
  std::size_t height = 0;
  std::size_t width = 0;
  bool from_above = false;
  std::uint32_t bits = 0;  ///< of a pixel
  std::array<Mask, 3> masks{};
  std::size_t palette = 0;  ///< where it begins
  std::size_t palette_entry = 4;
  std::size_t palette_size = 0;
  std::size_t pixels = 0;  ///< where they begin

  std::size_t row_bytes() const { return (width * bits + 31) / 32 * 4; }
};

/// Little-endian numbers at places that may lie beyond the end.
class Fields {
 public:
  Fields(const std::span<const std::uint8_t> bytes, const std::string& file) : bytes_(bytes), file_(file) {}

  std::uint32_t number(const std::size_t at, const std::size_t length, const char* const what) const {
    if (at > bytes_.size() || bytes_.size() - at < length) refuse(file_, at, what, "the end of the file");
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < length; ++i) value |= static_cast<std::uint32_t>(bytes_[at + i]) << (8 * i);
    return value;
  }
  std::uint32_t word(const std::size_t at, const char* const what) const { return number(at, 4, what); }
  void require(const bool ok, const std::size_t at, const std::string& expected, const std::string& received) const {
    if (!ok) refuse(file_, at, expected, received);
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::span<const std::uint8_t> bytes_;
  const std::string& file_;
};

void read_size(const Fields& fields, const bool core, Layout& layout) {
  const std::int64_t width = core ? std::int64_t{fields.number(18, 2, "a width")}
                                  : std::int64_t{static_cast<std::int32_t>(fields.word(18, "a width"))};
  const std::int64_t height = core ? std::int64_t{fields.number(20, 2, "a height")}
                                   : std::int64_t{static_cast<std::int32_t>(fields.word(22, "a height"))};
  layout.from_above = height < 0;
  layout.width = static_cast<std::size_t>(width < 0 ? 0 : width);
  layout.height = static_cast<std::size_t>(std::abs(height));
  const std::string received = fmt::format("{} x {}", width, height);
  fields.require(layout.width > 0 && layout.height > 0, 18, "at least one pixel", received);
  fields.require(layout.height * layout.width <= largest_pixels, 18, fmt::format("at most {} pixels", largest_pixels),
                 received);
}

void read_masks(const Fields& fields, const std::uint32_t compression, Layout& layout) {
  if (compression == none) {
    if (layout.bits == 16) layout.masks = {Mask{0x7c00}, Mask{0x3e0}, Mask{0x1f}};
    if (layout.bits == 32) layout.masks = {Mask{0xff0000}, Mask{0xff00}, Mask{0xff}};
    return;
  }
  for (std::size_t c = 0; c < 3; ++c) {
    layout.masks[c].bits = fields.word(file_header + info_header + 4 * c, "a mask");
    const std::uint32_t gone = layout.masks[c].bits >> std::countr_zero(layout.masks[c].bits | 1U << 31);
    fields.require((gone & (gone + 1)) == 0, file_header + info_header + 4 * c, "a mask of neighbouring bits",
                   fmt::format("{:#x}", layout.masks[c].bits));
  }
}

Layout read_layout(const Fields& fields) {
  Layout layout;
  layout.pixels = fields.word(10, "the place of the pixels");
  const std::uint32_t header = fields.word(file_header, "the length of the header");
  const bool core = header == core_header;
  fields.require(core || (header >= info_header && header <= 1024), file_header, "a header of 12 or 40 bytes or more",
                 fmt::format("{} bytes", header));
  read_size(fields, core, layout);
  layout.bits = fields.number(core ? 24 : 28, 2, "bits of a pixel");
  const std::uint32_t compression = core ? std::uint32_t{none} : fields.word(30, "a compression");
  const bool masked = compression == bit_fields || compression == alpha_bit_fields;
  const bool deep = layout.bits == 16 || layout.bits == 32;
  fields.require(compression == none || (masked && deep), 30, "pixels that are not compressed",
                 fmt::format("compression {}", compression));
  fields.require(deep || layout.bits == 1 || layout.bits == 4 || layout.bits == 8 || layout.bits == 24, 28,
                 "1, 4, 8, 16, 24 or 32 bits of a pixel", fmt::format("{}", layout.bits));
  if (deep) read_masks(fields, compression, layout);
  if (layout.bits <= 8) {
    const std::uint32_t used = core ? 0 : fields.word(46, "the colours of the palette");
    layout.palette = file_header + header;
    layout.palette_entry = core ? 3 : 4;
    layout.palette_size = used == 0 || used > (1U << layout.bits) ? std::size_t{1} << layout.bits : used;
  }
  const std::uint64_t bytes = static_cast<std::uint64_t>(layout.row_bytes()) * layout.height;
  fields.require(layout.pixels <= fields.size() && bytes <= fields.size() - layout.pixels, layout.pixels,
                 fmt::format("{} bytes of pixels", bytes),
                 fmt::format("{}", fields.size() - std::min<std::size_t>(fields.size(), layout.pixels)));
  fields.require(layout.palette + layout.palette_size * layout.palette_entry <= fields.size(), layout.palette,
                 fmt::format("a palette of {} colours", layout.palette_size), "the end of the file");
  return layout;
}

/// Blue, green, red of a palette or of 24 bits; the masked bits of others; a colour beyond the palette is black.
void read_pixel(const std::span<const std::uint8_t> bytes, const Layout& layout, const std::uint8_t* const row,
                const std::size_t x, std::uint8_t* const rgb) {
  const std::uint8_t* bgr = row + 3 * x;
  if (layout.bits == 16 || layout.bits == 32) {
    const std::size_t length = layout.bits / 8;
    std::uint32_t pixel = 0;
    for (std::size_t i = 0; i < length; ++i) pixel |= static_cast<std::uint32_t>(row[x * length + i]) << (8 * i);
    for (std::size_t c = 0; c < 3; ++c) rgb[c] = layout.masks[c].take(pixel);
    return;
  }
  if (layout.bits <= 8) {
    const std::size_t bit = x * layout.bits;
    const std::size_t place = row[bit / 8] >> (8 - layout.bits - bit % 8) & ((1U << layout.bits) - 1);
    if (place >= layout.palette_size) return;
    bgr = bytes.data() + layout.palette + place * layout.palette_entry;
  }
  for (std::size_t c = 0; c < 3; ++c) rgb[c] = bgr[2 - c];
}

}  // namespace

Picture decode_bmp(const std::span<const std::uint8_t> bytes, const std::string& file) {
  const Layout layout = read_layout(Fields(bytes, file));
  Picture picture{layout.height, layout.width, {}};
  picture.rgb.resize(picture.height * picture.width * 3);
  for (std::size_t y = 0; y < picture.height; ++y) {
    const std::size_t stored = layout.from_above ? y : picture.height - 1 - y;
    const std::uint8_t* const row = bytes.data() + layout.pixels + stored * layout.row_bytes();
    for (std::size_t x = 0; x < picture.width; ++x)
      read_pixel(bytes, layout, row, x, picture.rgb.data() + (y * picture.width + x) * 3);
  }
  return picture;
}

}  // namespace bcr::io
