#ifndef BCR_SRC_NN_LAYERS_BATCH_NORM_HPP
#define BCR_SRC_NN_LAYERS_BATCH_NORM_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

struct BatchNorm {
  Activation activation = Activation::relu;
  double dropout = 0;
};

inline constexpr double batch_norm_epsilon = 1e-5;

/// Normalisation by the statistics of the batch (training) or the running ones (inference), then the activation, then
/// dropout (training only), in one pass; momentum of the running statistics 0.1.
/// Parameters: <name>.gamma, <name>.beta [C]; statistics: <name>.running_mean, <name>.running_variance [C].
ValueId batch_norm(Graph& graph, std::string name, ValueId src, const BatchNorm& settings);

}  // namespace bcr::nn

#endif
