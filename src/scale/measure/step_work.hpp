#ifndef BCR_SRC_SCALE_MEASURE_STEP_WORK_HPP
#define BCR_SRC_SCALE_MEASURE_STEP_WORK_HPP

#include "src/nn/graph.hpp"
#include "src/train/region_clock.hpp"

#include <array>

namespace bcr::scale {

/// What a part of a step computes and moves.
struct RegionWork {
  double multiply_accumulates = 0;
  double bytes = 0;
};

/// The problem as the counts below see it.
struct StepShape {
  double images = 0;
  double features = 0;    ///< n, of an image
  double columns = 0;     ///< C, outputs of the head
  double parameters = 0;  ///< of backbone and head together
  double scalar_bytes = sizeof(float);
};

/// Counts of the algorithm as it is written down, whichever kernels compute it:
///   data      reads a byte and writes a number for each value of an image;
///   forward   M multiply-accumulates of convolutions and linear layers per image; every operation reads its sources
///             weights once and writes its result once;
///   backward  2 M; every operation reads the gradient of its result (convolutions and linear layers twice), its source
///             and its weights, and writes the gradients of source and weights;
///   head      3 n C per image (a subtraction and an fma counted as one): distances and both gradients; features and
///             anchors are read three times and their gradients written, outputs and their gradients written and read;
///   update    momentum: 3 fma per parameter; reads gradient, velocity, parameter; writes the last two.
/// Caches may save traffic and kernels may add some, so bytes over time is a figure, not what passed the memory bus.
using StepWork = std::array<RegionWork, train::region_names.size()>;
StepWork step_work(const nn::Graph& graph, const StepShape& shape);

/// The forward pass of a batch with its head: n C multiply-accumulates per image; features and anchors are read,
/// outputs written. All of it under `forward`, since nothing waits in between.
StepWork inference_work(const nn::Graph& graph, const StepShape& shape);

/// The head as above, by itself.
StepWork head_work(const StepShape& shape);

/// A loss by itself: outputs are read and their gradients written; one multiply-accumulate for each output, which no
/// loss can do without.
StepWork loss_work(const StepShape& shape);

}  // namespace bcr::scale

#endif
