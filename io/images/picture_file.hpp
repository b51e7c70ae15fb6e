#ifndef BCR_IO_IMAGES_PICTURE_FILE_HPP
#define BCR_IO_IMAGES_PICTURE_FILE_HPP

#include "io/images/area_resize.hpp"

#include <filesystem>

namespace bcr::io {

/// True for the endings .png .jpg .jpeg, in any case.
bool is_picture_name(const std::filesystem::path& path);

/// Decodes a PNG or JPEG file. What it is, is decided by its first bytes: some published JPEG sets contain PNG files.
Picture read_picture(const std::filesystem::path& path);

}  // namespace bcr::io

#endif
