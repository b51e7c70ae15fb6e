#ifndef BCR_SRC_CORE_TEXT_FILE_HPP
#define BCR_SRC_CORE_TEXT_FILE_HPP

#include <filesystem>
#include <string>

namespace bcr {

/// The content of a file; an IoError that names it if it cannot be read.
std::string read_text(const std::filesystem::path& file);

}  // namespace bcr

#endif
