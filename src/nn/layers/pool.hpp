#ifndef BCR_SRC_NN_LAYERS_POOL_HPP
#define BCR_SRC_NN_LAYERS_POOL_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

struct MaxPool {
  int taps = 2;
};

/// The largest pixel of each window; windows do not overlap. A ShapeError unless they cover the image.
ValueId max_pool(Graph& graph, std::string name, ValueId src, const MaxPool& settings);

struct GlobalAveragePool {};

/// The mean over all pixels of a channel.
ValueId global_average_pool(Graph& graph, std::string name, ValueId src);

}  // namespace bcr::nn

#endif
