#ifndef BCR_SRC_NN_LAYERS_TANH_HPP
#define BCR_SRC_NN_LAYERS_TANH_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

struct Tanh {};

/// tanh(src): images in (-1, 1) at the end of a decoder. Runs in the memory of src if nobody else reads it.
ValueId tanh(Graph& graph, std::string name, ValueId src);

}  // namespace bcr::nn

#endif
