#ifndef BCR_SRC_NN_LAYERS_TRANSPOSED_CONVOLUTION_HPP
#define BCR_SRC_NN_LAYERS_TRANSPOSED_CONVOLUTION_HPP

#include "src/nn/layers/convolution.hpp"

namespace bcr::nn {

struct TransposedConvolution {
  int channels = 1;
  int taps = 4;
  kernels::ConvolutionWindow window{.stride = 2, .pad = 1};  ///< with 4 taps: doubles height and width
  int extra = 0;  ///< rows and columns more than (extent - 1) stride - 2 pad + taps; below stride
  Bias bias = Bias::none;
  Initializer initial{};
  int stacked = 1;  ///< images that lie one under the other in src, each of which grows for itself
};

/// The transpose of the convolution that leads from the result to src: every pixel of src spreads a window
/// src(h, w, :) weights over the result, windows are `stride` apart and add up. Decoders grow images with it.
/// Parameters: <name>.weights [KH, KW, OC, IC], those of the other convolution, and, if asked for, <name>.bias [OC].
ValueId transposed_convolution(Graph& graph, std::string name, ValueId src, const TransposedConvolution& settings);

}  // namespace bcr::nn

#endif
