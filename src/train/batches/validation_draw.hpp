#ifndef BCR_SRC_TRAIN_BATCHES_VALIDATION_DRAW_HPP
#define BCR_SRC_TRAIN_BATCHES_VALIDATION_DRAW_HPP

#include "io/splits/selection.hpp"

#include <cstdint>

namespace bcr::train {

/// Images to train on, and images of the same classes to choose by: epochs, thresholds, hyper-parameters.
struct ValidationDraw {
  io::Selection train;
  io::Selection validation;
};

/// Keeps out a fraction of the images of every class: of n, the n fraction + 1/2, rounded down, whose random words are
/// lowest, but at least one and never all. The word of an image is a function of (seed, class, place among the images of
/// its class): the same on every rank, and the same draw grows with the fraction. A fraction of 0 keeps out none.
ValidationDraw draw_validation(const io::Selection& known, double fraction, std::uint64_t seed);

}  // namespace bcr::train

#endif
