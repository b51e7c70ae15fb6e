#ifndef BCR_IO_SPLITS_SELECTION_HPP
#define BCR_IO_SPLITS_SELECTION_HPP

#include "io/splits/split.hpp"

namespace bcr::io {

/// The images of a file that a split uses, in the order of the file.
struct Selection {
  std::vector<std::uint32_t> rows;   ///< ascending
  std::vector<std::int32_t> labels;  ///< place of the class in `classes`
  std::vector<std::string> classes;
};

/// `labels` are those of the file. Throws an IoError that names `file` if a class is not in it, or one that is asked
/// for by name has no image.
Selection select_images(const ClassChoice& choice, std::span<const std::int32_t> labels,
                        std::span<const std::string> class_names, const std::string& file);

}  // namespace bcr::io

#endif
