#ifndef BCR_TESTS_SUPPORT_FORMAT_WRITERS_HPP
#define BCR_TESTS_SUPPORT_FORMAT_WRITERS_HPP

#include "io/image_set.hpp"
#include "io/images/area_resize.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bcr::test {

using Bytes = std::vector<std::uint8_t>;

/// Writers of every published format, for tests that make their own small files. They are written from the formats'
/// descriptions and share no code with the readers.

/// A small set whose pixels differ from each other in every coordinate, with labels 0, 1, 2, ... over the classes.
io::ImageSet patterned_set(std::size_t count, std::size_t height, std::size_t width, std::size_t channels,
                           std::size_t classes);

Bytes idx_images(const io::ImageSet& set);
Bytes idx_labels(const io::ImageSet& set);

/// CIFAR's records; `heads` label bytes (1: the label, 2: label / 5 and the label).
Bytes cifar_records(const io::ImageSet& set, std::size_t heads);

enum class Packing { plain, deflated };

Bytes gzip(const Bytes& bytes);

/// A MATLAB 5 file with X [H, W, 3, N] of uint8 and y [N, 1] of double stored as uint8; label 0 is written as 10.
Bytes mat5_digits(const io::ImageSet& set, Packing packing);

/// The same as MATLAB 7.3: an HDF5 file behind 512 bytes of text.
Bytes mat73_digits(const io::ImageSet& set, const std::filesystem::path& scratch);

Bytes npy(std::string_view type, const std::vector<std::size_t>& extents, const Bytes& data);
Bytes npz(const std::vector<std::pair<std::string, Bytes>>& entries, Packing packing);

/// Labels as little-endian int64, plus `first`.
Bytes int64_labels(const io::ImageSet& set, std::int64_t first);
/// Pixels in planes.
Bytes planar_pixels(const io::ImageSet& set);

/// Image i of a set with three channels.
io::Picture picture_of(const io::ImageSet& set, std::size_t i);
Bytes jpeg(const io::Picture& picture, int quality);
/// One colour of inks, as Adobe writes them: 255 is none.
Bytes cmyk_jpeg(std::size_t height, std::size_t width, const std::array<std::uint8_t, 4>& inks);

/// BMP files with a header of 40 bytes.
enum class Rows { from_below, from_above };
Bytes bmp(const io::Picture& picture, int bits, Rows rows);
/// Pixel i, counted from the top left, has colour i mod 2^bits, which is (k, 2 k mod 256, 255 - k).
Bytes palette_bmp(std::size_t height, std::size_t width, int bits);
/// A row of pixels of so many bits.
Bytes masked_bmp(int bits, const std::array<std::uint32_t, 3>& masks, const std::vector<std::uint32_t>& pixels);

void write_bytes(const std::filesystem::path& path, const Bytes& bytes);
Bytes read_bytes(const std::filesystem::path& path);

}  // namespace bcr::test

#endif
