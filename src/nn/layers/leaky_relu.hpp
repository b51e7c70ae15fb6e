#ifndef BCR_SRC_NN_LAYERS_LEAKY_RELU_HPP
#define BCR_SRC_NN_LAYERS_LEAKY_RELU_HPP

#include "src/nn/graph.hpp"

namespace bcr::nn {

enum class Slope { fixed, learned };

struct LeakyRelu {
  double slope = 0.01;  ///< what a learned one begins with
  Slope kind = Slope::fixed;
};

/// src, or slope src where src <= 0; with a learned slope, one for all channels, the PReLU of He et al. 2015.
/// Parameter, if learned: <name>.slope [1]. As the addend of a sum it must stand where a relu may (curves.hpp).
ValueId leaky_relu(Graph& graph, std::string name, ValueId src, const LeakyRelu& settings);

}  // namespace bcr::nn

#endif
