#ifndef BCR_SRC_NN_LAYERS_LINEAR_HPP
#define BCR_SRC_NN_LAYERS_LINEAR_HPP

#include "src/nn/graph.hpp"
#include "src/nn/parameters.hpp"

namespace bcr::nn {

struct Linear {
  int channels = 1;
  Activation activation = Activation::none;
  Initializer initial{};
};

/// activation(src W^T + b) on flattened images. Parameters: <name>.weights [OC, IC], <name>.bias [OC].
ValueId linear(Graph& graph, std::string name, ValueId src, const Linear& settings);

}  // namespace bcr::nn

#endif
