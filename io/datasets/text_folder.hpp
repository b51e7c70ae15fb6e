#ifndef BCR_IO_DATASETS_TEXT_FOLDER_HPP
#define BCR_IO_DATASETS_TEXT_FOLDER_HPP

#include "io/datasets/import_request.hpp"

#include <functional>

namespace bcr::io {

/// The words of a file.
using ReadWords = std::function<std::vector<std::string>(const std::filesystem::path& file)>;

/// Adds the files of root/class for each of the classes; ids are "class/file". Files come in the order of the number
/// they begin with, then of their names. IoErrors that name a class without a
/// folder, or without a file.
void add_class_folders(TextSetBuilder& documents, const std::filesystem::path& root,
                       const std::vector<std::string>& classes, const ReadWords& read, const Progress& progress);

}  // namespace bcr::io

#endif
