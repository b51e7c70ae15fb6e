#ifndef BCR_IO_DATASETS_REGISTRY_HPP
#define BCR_IO_DATASETS_REGISTRY_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"

#include <span>

namespace bcr::io {

/// A published form of images and its reader.
struct ImportFormat {
  std::string_view name;
  std::string_view paths;    ///< what the user gives
  std::string_view summary;  ///< one line for --help
  ImageSet (*read)(const ImportRequest& request);
};

std::span<const ImportFormat> import_formats();

/// Reads and checks: what comes back is consistent. ConfigError, naming all formats, for an unknown one.
ImageSet import_images(std::string_view format, const ImportRequest& request);

}  // namespace bcr::io

#endif
