#ifndef BCR_IO_DATASETS_REGISTRY_HPP
#define BCR_IO_DATASETS_REGISTRY_HPP

#include "io/datasets/import_request.hpp"
#include "io/image_set.hpp"
#include "io/text/text_set.hpp"
#include "src/core/registry.hpp"

#include <functional>
#include <variant>

namespace bcr::io {

/// What an importer delivers: a set of either kind of samples.
using ImportedSet = std::variant<ImageSet, TextSet>;

/// A published form of a data set and its reader.
struct ImportFormat {
  std::string name;
  std::string paths;    ///< what the user gives
  std::string summary;  ///< one line for --help
  std::function<ImportedSet(const ImportRequest& request)> read;
};

Registry<ImportFormat>& import_formats();

/// Reads and checks: what comes back is consistent. ConfigError, naming all formats, for an unknown one.
ImportedSet import_set(std::string_view format, const ImportRequest& request);

}  // namespace bcr::io

#endif
