#ifndef BCR_SRC_PREDICT_SAVED_CHECKPOINT_HPP
#define BCR_SRC_PREDICT_SAVED_CHECKPOINT_HPP

#include "io/hdf5/checkpoint.hpp"

#include <filesystem>

namespace bcr::predict {

/// A checkpoint that says all that an answer needs besides its network: class names, size and normalisation of samples,
/// a way to fit pictures, guesses that are known classes. An IoError if it does not, or is damaged.
io::Checkpoint read_complete_checkpoint(const std::filesystem::path& file);

}  // namespace bcr::predict

#endif
