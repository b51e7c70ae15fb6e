#ifndef BCR_SRC_NN_LAYERS_RELU_HPP
#define BCR_SRC_NN_LAYERS_RELU_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

struct Relu {};

/// max(src, 0), where no batch norm, linear layer or sum comes before it to do it in its pass. Runs in the memory of src
/// if nobody else reads it.
///
/// Its backward pass masks the gradient of the result where it lies. As the addend of a sum, which shares that gradient
/// with the other term, it must therefore stand before the operation that makes the other term.
ValueId relu(Graph& graph, std::string name, ValueId src);

}  // namespace bcr::nn

#endif
