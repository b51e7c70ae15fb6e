#ifndef BCR_IO_IMAGE_SET_HPP
#define BCR_IO_IMAGE_SET_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bcr::io {

/// Labelled images of one size in memory: what every reader delivers and every data file stores.
/// images is [N, H, W, C], row-major; a set without labels has the single class "unlabelled".
struct ImageSet {
  std::size_t count = 0;
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;
  std::vector<std::uint8_t> images;
  std::vector<std::int32_t> labels;
  std::vector<std::string> class_names;
  std::string name;     ///< short, for tables and reports
  std::string source;   ///< where the images came from: format and files
  std::string licence;  ///< as the user stated it
  std::string fit;  ///< how pictures of other sizes became these images, by its name in io/images/fit.hpp; if they were
  std::vector<std::string> files;  ///< of each image, if each was a file: "photos/cat/1.jpg"

  std::size_t image_bytes() const noexcept { return height * width * channels; }
};

/// Images beyond this side are not what this program trains on: a reader that meets one is reading garbage.
inline constexpr std::size_t largest_side = 4096;
inline constexpr std::size_t largest_count = 0x7fffffff;
inline constexpr std::size_t largest_class_count = 1 << 20;

/// Throws an IoError that names `origin` unless the sizes agree, there is at least one image, and every label is the
/// index of a class.
void require_consistent(const ImageSet& set, const std::string& origin);

/// Mean and standard deviation of each channel over all pixels, for pixel values scaled to [0, 1]. The sums are
/// integers, so the result does not depend on the order of images, threads or machines.
struct ChannelStatistics {
  std::vector<double> mean;
  std::vector<double> std;
};
ChannelStatistics channel_statistics(const ImageSet& set);

/// The same for images that come in pieces.
class ChannelSums {
 public:
  explicit ChannelSums(const std::size_t channels) : sums_(channels, 0), squares_(channels, 0) {}

  /// Whole pixels.
  void add(std::span<const std::uint8_t> pixels);
  ChannelStatistics statistics() const;

 private:
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint64_t> squares_;
  std::uint64_t pixels_ = 0;
};

/// Images per class.
std::vector<std::size_t> class_counts(std::span<const std::int32_t> labels, std::size_t classes);

/// SHA-256 in hexadecimal of the bytes of images followed by the labels as little-endian 32-bit integers:
/// hashlib.sha256(f["images"][...].tobytes() + f["labels"][...].astype("<i4").tobytes()).hexdigest()
std::string content_sha256(const ImageSet& set);

/// "0", "1", ... for sets whose classes have no names.
std::vector<std::string> numbered_classes(std::size_t count);

/// Appends the images and labels of `tail` to `set`, which takes its shape from the first piece. Throws an IoError
/// that names `origin` if the image sizes differ.
void append(ImageSet& set, ImageSet&& tail, const std::string& origin);

}  // namespace bcr::io

#endif
