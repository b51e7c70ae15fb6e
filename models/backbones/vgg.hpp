#ifndef BCR_MODELS_BACKBONES_VGG_HPP
#define BCR_MODELS_BACKBONES_VGG_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

/// The VGG of the AOSR experiments (Fang et al. 2021): 3 x 3 convolutions with bias, batch norm and ReLU of
/// 64, 64 | 128, 128 | 256, 256, 256, 256 channels, a 2 x 2 maximum after each bar, then two linear layers of 1024 with
/// ReLU. n = 1024 features. ShapeError unless 8 divides height and width.
nn::Graph vgg(const nn::ImageShape& input);

BackboneEntry vgg_entry();

}  // namespace bcr::models

#endif
