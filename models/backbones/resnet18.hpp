#ifndef BCR_MODELS_BACKBONES_RESNET18_HPP
#define BCR_MODELS_BACKBONES_RESNET18_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

/// ResNet-18 for small images (He et al. 2016): 3 x 3 convolution to 64 channels without pooling, four stages of two
/// blocks with 64, 128, 256, 512 channels and strides 1, 2, 2, 2, mean over all pixels. n = 512 features. A block is
///
///   z = relu(norm2(conv2(relu(norm1(conv1(x))))) + shortcut),   shortcut = x, or norm(1 x 1 convolution of x).
///
/// Published runs began with uniform_fan_in.
nn::Graph resnet18(const nn::ImageShape& input, Initialisation initialisation = Initialisation::published);

BackboneEntry resnet18_entry();

}  // namespace bcr::models

#endif
