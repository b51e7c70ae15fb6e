#include "io/images/picture_file.hpp"

#include "io/bytes/input_file.hpp"
#include "io/images/orientation.hpp"

#include <fmt/format.h>
#include <webp/decode.h>

#include <cstring>

namespace bcr::io {

namespace {

/// "WebP Container Specification": RIFF, a length, WEBP, then chunks: a name of 4 bytes, a length, as many bytes,
/// filled up to an even number. Of the first chunk EXIF, if there is one.
int orientation_of(const std::span<const std::uint8_t> bytes) {
  for (std::size_t at = 12; at + 8 <= bytes.size();) {
    std::size_t length = 0;
    for (std::size_t i = 0; i < 4; ++i) length |= static_cast<std::size_t>(bytes[at + 4 + i]) << (8 * i);
    if (length > bytes.size() - at - 8) return 1;
    if (std::memcmp(bytes.data() + at, "EXIF", 4) == 0) return exif_orientation(bytes.subspan(at + 8, length));
    at += 8 + length + length % 2;
  }
  return 1;
}

}  // namespace

bool reads_webp() {
  return true;
}

Picture decode_webp(const std::span<const std::uint8_t> bytes, const std::string& file) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes.data(), bytes.size(), &features) != VP8_STATUS_OK)
    refuse(file, 0, "a sound WebP file", "a damaged header");
  if (features.has_animation) refuse(file, 0, "a WebP file with one picture", "an animation");
  Picture picture{static_cast<std::size_t>(features.height), static_cast<std::size_t>(features.width), {}};
  if (picture.height * picture.width > largest_pixels)
    refuse(file, 0, fmt::format("at most {} pixels", largest_pixels),
           fmt::format("{} x {}", picture.width, picture.height));
  picture.rgb.resize(picture.height * picture.width * 3);
  if (WebPDecodeRGBInto(bytes.data(), bytes.size(), picture.rgb.data(), picture.rgb.size(), features.width * 3) ==
      nullptr)
    refuse(file, 0, "a sound WebP file", "damaged or truncated data");
  return upright(std::move(picture), orientation_of(bytes));
}

}  // namespace bcr::io
