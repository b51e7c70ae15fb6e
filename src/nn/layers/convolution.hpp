#ifndef BCR_SRC_NN_LAYERS_CONVOLUTION_HPP
#define BCR_SRC_NN_LAYERS_CONVOLUTION_HPP

#include "kernels/conv/window.hpp"
#include "src/nn/graph.hpp"
#include "src/nn/parameters.hpp"

namespace bcr::nn {

enum class Bias { none, added };

struct Convolution {
  int channels = 1;
  int taps = 3;
  kernels::ConvolutionWindow window{.stride = 1, .pad = 1};
  Bias bias = Bias::none;
  Initializer initial{};
};

/// The convolution of src, + bias, or + addend: its sums start there.
/// Parameters: <name>.weights [KH, KW, IC, OC] and, if asked for, <name>.bias [OC].
ValueId convolution(Graph& graph, std::string name, ValueId src, const Convolution& settings,
                    ValueId addend = no_value);

}  // namespace bcr::nn

#endif
