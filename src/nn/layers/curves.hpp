#ifndef BCR_SRC_NN_LAYERS_CURVES_HPP
#define BCR_SRC_NN_LAYERS_CURVES_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

// Functions of one element whose slope is known from their result. They run in the memory of src if nobody else reads it.
// Their backward pass scales the gradient of the result where it lies: as the addend of a sum, which shares that gradient
// with the other term, they must therefore stand before the operation that makes the other term.

struct Relu {};
struct Tanh {};

/// max(src, 0), where no batch norm, linear layer or sum comes before it to do it in its pass.
ValueId relu(Graph& graph, std::string name, ValueId src);

/// tanh(src): images in (-1, 1) at the end of a decoder.
ValueId tanh(Graph& graph, std::string name, ValueId src);

}  // namespace bcr::nn

#endif
