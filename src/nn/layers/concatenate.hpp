#ifndef BCR_SRC_NN_LAYERS_CONCATENATE_HPP
#define BCR_SRC_NN_LAYERS_CONCATENATE_HPP

#include "src/nn/graph.hpp"

#include <vector>

namespace bcr::nn {

struct Concatenation {};

/// The channels of all sources, one after the other. They must agree in height and width.
///
/// The result is copied together again for the backward pass instead of being kept. So a chain of blocks, each of which
/// reads the results of all before it (a dense network), needs memory for every result once if each concatenates the
/// results themselves, and not the concatenation before it and one more.
ValueId concatenate(Graph& graph, std::string name, std::vector<ValueId> sources);

}  // namespace bcr::nn

#endif
