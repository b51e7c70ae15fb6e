#ifndef BCR_IO_DATASETS_IMAGE_FOLDER_HPP
#define BCR_IO_DATASETS_IMAGE_FOLDER_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

namespace bcr::io {

/// PNG and JPEG files in folders: each folder under a path is a class named after it, in the order of the names; a
/// path that has pictures and no folders is one class (LSUN, iSUN, Places as unpacked). Pictures are scaled by area
/// averaging so that the shorter side is `size`, and cropped at the centre.
///
/// Paths: directories. Looks at size (required).
ImageSet read_image_folder(const ImportRequest& request);

}  // namespace bcr::io

#endif
