#ifndef BCR_SRC_NN_LAYERS_GAUSSIAN_HPP
#define BCR_SRC_NN_LAYERS_GAUSSIAN_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

// A Gaussian of d independent coordinates is a vector of 2 d numbers, its means, then those that its variances are made
// from (kernels/gaussian/gaussian_element.hpp): the result of a linear layer. In training, noise is a function of
// (seed, name, step, element of the whole batch); in all other passes there is none, and a sample is the mean.

struct GaussianSample {};

/// mean + sqrt(variance) noise.
ValueId gaussian_sample(Graph& graph, std::string name, ValueId src);

struct GaussianJoin {};

struct JoinedValues {
  ValueId sample;
  ValueId divergence;  ///< one number: KL(joined | down)
};

/// A sample of the product of two Gaussians of the same d, what images say of a level and what the level above expects,
/// and how far the product is from the latter.
JoinedValues gaussian_join(Graph& graph, std::string name, ValueId up, ValueId down);

}  // namespace bcr::nn

#endif
