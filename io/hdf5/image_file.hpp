#ifndef BCR_IO_HDF5_IMAGE_FILE_HPP
#define BCR_IO_HDF5_IMAGE_FILE_HPP

#include "io/hdf5/reader.hpp"
#include "io/image_set.hpp"

#include <filesystem>

namespace bcr::io {

/// The one data format of this program, readable with any HDF5 tool:
///
///   /images       u8  [N, H, W, C], chunks of 256 images
///   /labels       i32 [N], each the index of a class
///   /class_names  UTF-8 strings [K], of fixed length, padded with zeros
///   attributes of /: format = "bcr-images", format_version = 1, name, source, licence,
///                    mean and std (f64 [C], of pixels scaled to [0, 1]), sha256 (see content_sha256)
inline constexpr std::int64_t image_format_version = 1;
inline constexpr std::size_t images_per_chunk = 256;

/// Writes a set atomically and returns its SHA-256. Refuses an inconsistent one.
std::string write_image_file(const std::filesystem::path& path, const ImageSet& set);

/// Everything about a data file but its pixels.
struct ImageFileInfo {
  std::size_t count = 0;
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  std::vector<std::string> class_names;
  ChannelStatistics statistics;
  std::string name;
  std::string source;
  std::string licence;
  std::string sha256;

  std::size_t image_bytes() const noexcept { return height * width * channels; }
};

/// A data file open for reading. Opening checks everything but the pixels: version, shapes, types, ranges of labels.
/// Pixels are read in ranges, each chunk against its checksum.
class ImageFile {
 public:
  explicit ImageFile(const std::filesystem::path& path);

  const std::string& path() const noexcept { return reader_.name(); }
  const ImageFileInfo& info() const noexcept { return info_; }
  const std::vector<std::int32_t>& labels() const noexcept { return labels_; }

  /// Images [first, first + count) into dst, which holds count * image_bytes() bytes.
  void read_images(std::size_t first, std::size_t count, std::span<std::uint8_t> dst) const;

  ImageSet read_all() const;

  /// Reads all pixels; throws an IoError unless their SHA-256, means and deviations are the stored ones.
  void verify() const;

 private:
  Hdf5Reader reader_;
  ImageFileInfo info_;
  std::vector<std::int32_t> labels_;
};

}  // namespace bcr::io

#endif
