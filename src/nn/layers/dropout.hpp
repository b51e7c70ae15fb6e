#ifndef BCR_SRC_NN_LAYERS_DROPOUT_HPP
#define BCR_SRC_NN_LAYERS_DROPOUT_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

struct Dropout {
  double rate = 0.5;  ///< in [0, 1)
};

/// In training, sets a share of the elements to 0 and divides the others by 1 - rate (kernels/norm/dropout_mask.hpp);
/// which ones is a function of (seed, name, step, element of the whole batch). In inference, src itself.
ValueId dropout(Graph& graph, std::string name, ValueId src, const Dropout& settings);

}  // namespace bcr::nn

#endif
