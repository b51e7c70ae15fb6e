#ifndef BCR_SRC_NN_LAYERS_RESHAPE_HPP
#define BCR_SRC_NN_LAYERS_RESHAPE_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

struct Reshape {
  ImageShape shape;
};

/// The same numbers in the same order with other extents, in the same memory if nobody else reads them.
ValueId reshape(Graph& graph, std::string name, ValueId src, const ImageShape& shape);

}  // namespace bcr::nn

#endif
