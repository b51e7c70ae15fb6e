#ifndef BCR_SRC_TRAIN_FAST_MODE_HPP
#define BCR_SRC_TRAIN_FAST_MODE_HPP

#include "src/train/options.hpp"

namespace bcr::train {

/// A ConfigError if mode fast has no library for what the network of these options computes most: convolutions of
/// images, products of matrices of texts.
void require_library(const RunOptions& options);

}  // namespace bcr::train

#endif
