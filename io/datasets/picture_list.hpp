#ifndef BCR_IO_DATASETS_PICTURE_LIST_HPP
#define BCR_IO_DATASETS_PICTURE_LIST_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// A picture file and the class it belongs to.
struct LabelledPicture {
  std::filesystem::path path;
  std::int32_t label = 0;
};

/// Directories under `directory`, sorted by name, byte by byte (not by the user's language).
std::vector<std::filesystem::path> sorted_directories(const std::filesystem::path& directory);

/// Picture files (.png .jpg .jpeg) directly in `directory`, sorted likewise; other files are passed over.
std::vector<std::filesystem::path> sorted_pictures(const std::filesystem::path& directory);

/// Decodes the pictures to RGB images of side `size`, scaled and cropped where they differ from it.
ImageSet decode_pictures(const std::vector<LabelledPicture>& pictures, std::size_t size, const Progress& progress);

}  // namespace bcr::io

#endif
