#ifndef BCR_SRC_NN_LAYERS_ADD_HPP
#define BCR_SRC_NN_LAYERS_ADD_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

struct Add {
  Activation activation = Activation::none;
};

/// activation(src + addend). src must have no other consumer: its gradient shares memory with that of the sum.
ValueId add(Graph& graph, std::string name, ValueId src, ValueId addend, Activation activation);

}  // namespace bcr::nn

#endif
