#ifndef BCR_IO_COMMANDS_CHECKPOINT_INFO_HPP
#define BCR_IO_COMMANDS_CHECKPOINT_INFO_HPP

#include "io/hdf5/checkpoint.hpp"

#include <filesystem>

namespace bcr::io {

/// What a model is, how far it has come, and where it draws the line to "unknown": lines for people, or JSON, to
/// standard output.
void show_checkpoint(const std::filesystem::path& path, bool as_json);

}  // namespace bcr::io

#endif
