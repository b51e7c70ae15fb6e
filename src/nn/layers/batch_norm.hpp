#ifndef BCR_SRC_NN_LAYERS_BATCH_NORM_HPP
#define BCR_SRC_NN_LAYERS_BATCH_NORM_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

/// Whether a batch norm learns a factor and a shift of each channel.
enum class Affine { learned, none };

struct BatchNorm {
  Activation activation = Activation::relu;
  double dropout = 0;
  Affine affine = Affine::learned;
};

inline constexpr double batch_norm_epsilon = 1e-5;

/// Normalisation by the statistics of the batch (training) or the running ones (inference), then the activation, then
/// dropout (training only), in one pass; momentum of the running statistics 0.1.
/// Parameters, if learned: <name>.gamma, <name>.beta [C], else 1 and 0; statistics: <name>.running_mean,
/// <name>.running_variance [C].
ValueId batch_norm(Graph& graph, std::string name, ValueId src, const BatchNorm& settings);

}  // namespace bcr::nn

#endif
