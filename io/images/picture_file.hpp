#ifndef BCR_IO_IMAGES_PICTURE_FILE_HPP
#define BCR_IO_IMAGES_PICTURE_FILE_HPP

#include "io/hdf5/image_file.hpp"
#include "io/images/area_resize.hpp"

#include <filesystem>
#include <span>
#include <string>

namespace bcr::io {

/// True for the endings .png .jpg .jpeg, in any case.
bool is_picture_name(const std::filesystem::path& path);

/// Decodes a PNG or JPEG file. What it is, is decided by its first bytes: some published JPEG sets contain PNG files.
Picture read_picture(const std::filesystem::path& path);

/// Decodes a JPEG file held in memory to RGB: accurate integer DCT, smooth chroma upsampling, grey and CMYK converted.
/// Damaged or truncated data, trailing bytes and pictures beyond `largest_pixels` are IoErrors that name the file.
///
/// The JPEG standard leaves the last bit of a decoded pixel open, so other versions of libjpeg may decode other bytes.
/// What was decoded is therefore stored as pixels with their SHA-256; equal hashes mean equal data.
Picture decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& file);

/// What the decoders accept: enough for any photograph, too little to exhaust a machine.
inline constexpr std::size_t largest_pixels = std::size_t{1} << 26;

/// Decodes a PNG file held in memory to RGB: palettes and grey expanded, 16 bits rounded to 8, transparency dropped.
/// Damaged or truncated data, trailing bytes and pictures beyond `largest_pixels` are IoErrors that name the file.
Picture decode_png(std::span<const std::uint8_t> bytes, const std::string& file);

/// A picture as the bytes of a PNG file.
std::vector<std::uint8_t> encode_png(const Picture& picture);

/// The first images of a data file, a row for each class, on grey paper: what people look at before they train.
/// At most `columns` images of each of the first `rows` classes that have any.
Picture contact_sheet(const ImageFile& file, std::size_t columns, std::size_t rows);

}  // namespace bcr::io

#endif
