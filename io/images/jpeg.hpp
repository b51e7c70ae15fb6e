#ifndef BCR_IO_IMAGES_JPEG_HPP
#define BCR_IO_IMAGES_JPEG_HPP

#include "io/images/area_resize.hpp"

#include <span>
#include <string>

namespace bcr::io {

/// Decodes a JPEG file held in memory to RGB: accurate integer DCT, smooth chroma upsampling, grey and CMYK converted.
/// Damaged or truncated data, trailing bytes and pictures beyond `largest_pixels` are IoErrors that name the file.
///
/// The JPEG standard leaves the last bit of a decoded pixel open, so other versions of libjpeg may decode other bytes.
/// What was decoded is therefore stored as pixels with their SHA-256; equal hashes mean equal data.
Picture decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& file);

/// What the decoders accept: enough for any photograph, too little to exhaust a machine.
inline constexpr std::size_t largest_pixels = std::size_t{1} << 26;

}  // namespace bcr::io

#endif
