#ifndef BCR_SRC_PREDICT_PICTURE_SOURCE_HPP
#define BCR_SRC_PREDICT_PICTURE_SOURCE_HPP

#include "io/hdf5/image_file.hpp"
#include "io/images/fit.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <optional>
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

/// What a network wants to see, and whether people want to see it too.
struct ImagePlan {
  io::Fit fit = io::Fit::area_crop;
  std::size_t height = 0;
  std::size_t width = 0;
  std::size_t channels = 0;   ///< 3, or 1: grey
  std::size_t thumbnail = 0;  ///< side of the thumbnails; 0: none
};

/// An image as it was read, or why it could not be.
struct ReadImage {
  std::string name;
  std::vector<std::uint8_t> pixels{};  ///< [height, width, channels]
  std::string thumbnail{};             ///< of the whole picture, as a data: URL
  std::string error{};                 ///< empty: it was read
};

/// A function of its arguments alone, for any thread.
ReadImage read_image(const PictureRef& picture, const ImagePlan& plan);

}  // namespace bcr::predict

#endif
