#ifndef BCR_SRC_PREDICT_PICTURE_SOURCE_HPP
#define BCR_SRC_PREDICT_PICTURE_SOURCE_HPP

#include "io/hdf5/image_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bcr::predict {

/// One image that was asked for: a picture file, an image of a data file, or what keeps a path from being either.
struct PictureRef {
  std::string name;                             ///< for people: the path, or "test.h5#12"
  std::shared_ptr<const io::ImageFile> file{};  ///< null: a picture file
  std::size_t index = 0;                        ///< in the data file
  std::string error{};                          ///< why there is no image, if there is none
};

/// The images behind a list of paths, in order, one at a time: picture files; folders, all pictures below them sorted
/// by path; data files of bcr-data, image by image; "-", the paths that `list` has, a line each. A path that cannot be
/// read is an image with an error, and so is a folder without pictures.
class PictureSource {
 public:
  /// `list` must outlive this.
  PictureSource(std::vector<std::string> paths, std::istream& list);

  std::optional<PictureRef> next();

 private:
  std::optional<std::string> next_path();
  void open(const std::string& path);
  void open_folder(const std::string& path);

  std::vector<std::string> paths_;
  std::size_t place_ = 0;
  bool reads_list_ = false;
  std::istream& list_;
  std::vector<PictureRef> ready_;  ///< what the last path held, but for the images of a data file
  std::size_t given_ = 0;
  std::shared_ptr<const io::ImageFile> file_;
  std::size_t image_ = 0;
};

/// What becomes of a picture that has not the size of the network: scaled by its shorter side and cropped in the
/// centre, as bcr-data import does, or refused.
enum class Fit { crop, exact };

/// The pixels of an image, [height, width, channels], into dst; channels are 3, or 1: grey. An IoError for a damaged
/// file or an image that does not fit.
void read_pixels(const PictureRef& picture, Fit fit, std::size_t height, std::size_t width, std::size_t channels,
                 std::span<std::uint8_t> dst);

}  // namespace bcr::predict

#endif
