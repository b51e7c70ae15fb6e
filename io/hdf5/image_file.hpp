#ifndef BCR_IO_HDF5_IMAGE_FILE_HPP
#define BCR_IO_HDF5_IMAGE_FILE_HPP

#include "io/hdf5/data_file.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// The data format of images, readable with any HDF5 tool:
///
///   /images       u8  [N, H, W, C], chunks of 256 images
///   /labels       i32 [N], each the index of a class
///   /class_names  UTF-8 strings [K], of fixed length, padded with zeros
///   /files        UTF-8 strings [N], names of the files that the images were, if they were files
///   attributes of /: format = "bcr-images", format_version = 2, name, source, licence,
///                    mean and std (f64 [C], of pixels scaled to [0, 1]), sha256 (see data_sha256)
///                    fit: if images were pictures of other sizes, how they became these (io/images/fit.hpp)
///   /checksums    of everything (docs/run_directory.md)
inline constexpr DataFormat image_format{"bcr-images", 2};
inline constexpr std::size_t images_per_chunk = 256;

/// Writes a set atomically and returns its SHA-256. Refuses an inconsistent one.
std::string write_image_file(const std::filesystem::path& path, const ImageSet& set);

/// Everything about a file of images but its pixels.
struct ImageFileInfo : DataFileInfo {
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  ChannelStatistics statistics;
  std::string fit;  ///< empty: unknown, or images were never pictures of other sizes

  std::size_t image_bytes() const noexcept { return height * width * channels; }
};

class ImageFile final : public DataFile {
 public:
  explicit ImageFile(const std::filesystem::path& path);

  const ImageFileInfo& info() const noexcept override { return info_; }

  /// Images [first, first + count) into dst, which holds count * image_bytes() bytes.
  void read_images(std::size_t first, std::size_t count, std::span<std::uint8_t> dst) const;

  /// Of each image; none if images were not files of their own.
  std::vector<std::string> read_file_names() const;

  ImageSet read_all() const;

  /// Also compares means and deviations of the pixels with the stored ones.
  void verify() const override;

 private:
  ImageFileInfo info_;
};

}  // namespace bcr::io

#endif
