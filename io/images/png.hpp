#ifndef BCR_IO_IMAGES_PNG_HPP
#define BCR_IO_IMAGES_PNG_HPP

#include "io/images/area_resize.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace bcr::io {

/// Decodes a PNG file held in memory to RGB: palettes and grey expanded, 16 bits rounded to 8, transparency dropped.
/// Damaged or truncated data, trailing bytes and pictures beyond `largest_pixels` are IoErrors that name the file.
Picture decode_png(std::span<const std::uint8_t> bytes, const std::string& file);

/// A picture as the bytes of a PNG file.
std::vector<std::uint8_t> encode_png(const Picture& picture);

}  // namespace bcr::io

#endif
