#ifndef BCR_MODELS_BACKBONES_INITIAL_WEIGHTS_HPP
#define BCR_MODELS_BACKBONES_INITIAL_WEIGHTS_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/parameters.hpp"

#include <cmath>

namespace bcr::models {

/// N(0, 2 / (taps^2 outputs)): keeps the variance of gradients through ReLU (He et al. 2015, fan out).
inline nn::Initializer he_fan_out(const int taps, const int outputs) {
  return {nn::Fill::normal, std::sqrt(2.0 / (static_cast<double>(taps) * taps * outputs))};
}

/// U(-b, b), b = 1 / sqrt(fan_in): PyTorch's default, what the published ResNet-18 and VGG runs began with.
inline nn::Initializer uniform_fan_in(const double fan_in) {
  return {nn::Fill::uniform, 1 / std::sqrt(fan_in)};
}

/// Of a convolution that adds taps^2 inputs products. `published`: the rule of the runs that the backbone comes from.
inline nn::Initializer convolution_weights(const Initialisation chosen, const Initialisation published, const int taps,
                                           const int inputs, const int outputs) {
  const Initialisation used = chosen == Initialisation::published ? published : chosen;
  if (used == Initialisation::he_fan_out) return he_fan_out(taps, outputs);
  return uniform_fan_in(static_cast<double>(taps) * taps * inputs);
}

}  // namespace bcr::models

#endif
