#ifndef BCR_IO_IMAGES_PICTURE_FILE_HPP
#define BCR_IO_IMAGES_PICTURE_FILE_HPP

#include "io/hdf5/image_file.hpp"
#include "io/images/area_resize.hpp"
#include "io/images/fit.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bcr::io {

/// True for the endings .png .jpg .jpeg .jpe .jfif .webp .bmp, in any case.
bool is_picture_name(const std::filesystem::path& path);

/// Decodes a picture file and sets it upright: PNG, JPEG, BMP, and WebP where the program was built with libwebp. What
/// it is, is decided by its first bytes: some published JPEG sets contain PNG files. Bytes behind the end of a picture,
/// which telephones put there, are passed over; a damaged or truncated one, or one beyond `largest_pixels`, is an
/// IoError that names the file. Of a JPEG file it may be a reduced one, if `least` allows it.
Picture read_picture(const std::filesystem::path& path, LeastSize least = {});
Picture decode_picture(std::span<const std::uint8_t> bytes, const std::string& file, LeastSize least = {});
/// The bytes of a file of sensible size.
std::vector<std::uint8_t> read_picture_bytes(const std::filesystem::path& path);

/// What the decoders accept: enough for any photograph, too little to exhaust a machine.
inline constexpr std::size_t largest_pixels = std::size_t{1} << 26;

/// JPEG to RGB: accurate integer DCT, smooth chroma upsampling, grey and CMYK converted, set upright as EXIF says.
/// Bytes between two markers that belong to neither are passed over. With a `least` size at 1/2, 1/4 or 1/8 of its size
/// (rounded up), by the shorter transforms that libjpeg has for that, the smallest that has it.
///
/// The JPEG standard leaves the last bit of a decoded pixel open, so other versions of libjpeg may decode other bytes.
/// What was decoded is therefore stored as pixels with their SHA-256; equal hashes mean equal data.
Picture decode_jpeg(std::span<const std::uint8_t> bytes, const std::string& file, LeastSize least = {});

/// PNG to RGB: palettes and grey expanded, 16 bits rounded to 8, transparency dropped.
Picture decode_png(std::span<const std::uint8_t> bytes, const std::string& file);

/// BMP to RGB: 1, 4 and 8 bits with a palette, 16, 24 and 32 bits with or without masks, from below or from above;
/// transparency dropped. Run lengths are refused.
Picture decode_bmp(std::span<const std::uint8_t> bytes, const std::string& file);

/// WebP to RGB, lossy or lossless, transparency dropped, set upright as EXIF says; animations are refused. Without
/// libwebp an IoError that says so.
Picture decode_webp(std::span<const std::uint8_t> bytes, const std::string& file);
bool reads_webp();

/// A picture as the bytes of a PNG file.
std::vector<std::uint8_t> encode_png(const Picture& picture);
/// As the bytes of a JPEG file; quality from 1 to 100.
std::vector<std::uint8_t> encode_jpeg(const Picture& picture, int quality);

/// The first images of a data file, a row for each class, on grey paper: what people look at before they train.
/// At most `columns` images of each of the first `rows` classes that have any.
Picture contact_sheet(const ImageFile& file, std::size_t columns, std::size_t rows);

}  // namespace bcr::io

#endif
