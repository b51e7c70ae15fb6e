#ifndef BCR_SRC_TRAIN_BATCHES_SHARED_READING_HPP
#define BCR_SRC_TRAIN_BATCHES_SHARED_READING_HPP

#include "src/comm/communicator.hpp"
#include "src/train/batches/image_pieces.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace bcr::train {

/// Takes the pixels of images first, first + 1, ... of a set.
using TakePixels = std::function<void(std::size_t first, std::span<const std::uint8_t> pixels)>;

/// All pixels of a set on every rank, though each rank reads only its part of the files: every chunk of the data files
/// is read by one rank, once, and handed to the others. `take` gets every image once, not in order. All ranks call this
/// with the same set; what is under way at a time is bounded, however large the set is.
void read_together(const ImagePieces& pieces, comm::Communicator& ranks, const TakePixels& take);

}  // namespace bcr::train

#endif
