#ifndef BCR_SRC_SCALE_MEASURE_NOISE_HPP
#define BCR_SRC_SCALE_MEASURE_NOISE_HPP

#include "kernels/augment/augment.hpp"
#include "models/heads/registry.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/tensors.hpp"
#include "src/scale/measure/timed_work.hpp"

namespace bcr::scale {

/// What goes into the backbone: images, or sequences of L tokens as {1, L, 1}.
nn::ImageShape input_shape(const PointOptions& options);
/// The head that fits the loss: squared distances if it can.
models::HeadOptions head_of(const PointOptions& options);

/// Every value of every image of a batch a random byte; every token a random word; every label in turn.
Tensor4<std::uint8_t, TimedWork::Exec> noise_pixels(const PointOptions& options);
nn::Tokens<TimedWork::Exec> noise_tokens(const PointOptions& options);
Labels<TimedWork::Exec> noise_labels(const PointOptions& options, int count);

/// To mean 0 and deviation 1.
kernels::Normalisation<TimedWork::Real> noise_normalisation(const PointOptions& options);

}  // namespace bcr::scale

#endif
