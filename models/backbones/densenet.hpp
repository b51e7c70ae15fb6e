#ifndef BCR_MODELS_BACKBONES_DENSENET_HPP
#define BCR_MODELS_BACKBONES_DENSENET_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

struct DenseNetSettings {
  int depth = 100;  ///< 6 N + 4 for N layers in each of three blocks
  int growth = 12;  ///< k, channels that a layer adds
  Initialisation initialisation = Initialisation::published;  ///< he_fan_out
};

/// DenseNet-BC (Huang et al. 2017) for small images: 3 x 3 convolution to 2 k channels, three blocks of N layers, between
/// them a 1 x 1 convolution to half of the channels (compression 0.5) and a 2 x 2 mean, at the end batch norm, ReLU and
/// the mean over all pixels. A layer reads everything before it in its block,
///
///   x_i = conv3x3(relu(norm(conv1x1(relu(norm([x_0, ..., x_{i-1}]))))))     with 4 k channels inside, k outside.
///
/// L = 100, k = 12: n = 342 features. No dropout, as with augmented images. ConfigError for a depth that is not 6 N + 4.
nn::Graph densenet(const nn::ImageShape& input, const DenseNetSettings& settings);

BackboneEntry densenet_entry();

}  // namespace bcr::models

#endif
