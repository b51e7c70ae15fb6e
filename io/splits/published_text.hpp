#ifndef BCR_IO_SPLITS_PUBLISHED_TEXT_HPP
#define BCR_IO_SPLITS_PUBLISHED_TEXT_HPP

#include <string_view>

namespace bcr::io {

/// The file published.toml, built into the program.
std::string_view published_text();

}  // namespace bcr::io

#endif
