#ifndef BCR_MODELS_BACKBONES_WIDE_RESNET_HPP
#define BCR_MODELS_BACKBONES_WIDE_RESNET_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

struct WideResNetSettings {
  int depth = 40;  ///< 6 N + 4 for N blocks in each of three groups
  int width = 2;
  double dropout = 0.3;
  Initialisation initialisation = Initialisation::published;  ///< he_fan_out
};

/// Wide residual network with pre-activation (Zagoruyko and Komodakis 2016): 3 x 3 convolution to 16 channels, three
/// groups of N blocks with 16 k, 32 k, 64 k channels and strides 1, 2, 2, batch norm, ReLU, mean over all pixels.
/// n = 64 k features, none negative. A block is
///
///   y = relu(norm1(x)),  z = conv2(dropout(relu(norm2(conv1(y))))) + shortcut
///
/// with x itself as the shortcut, or a 1 x 1 convolution of y where the number of channels changes.
/// ConfigError for a depth that is not 6 N + 4, N >= 1.
nn::Graph wide_resnet(const nn::ImageShape& input, const WideResNetSettings& settings);

BackboneEntry wide_resnet_entry();

}  // namespace bcr::models

#endif
