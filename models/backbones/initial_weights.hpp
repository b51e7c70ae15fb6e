#ifndef BCR_MODELS_BACKBONES_INITIAL_WEIGHTS_HPP
#define BCR_MODELS_BACKBONES_INITIAL_WEIGHTS_HPP

#include "src/nn/parameters.hpp"

#include <cmath>

namespace bcr::models {

/// N(0, 2 / (taps^2 outputs)): keeps the variance of gradients through ReLU (He et al. 2015, fan out).
inline nn::Initializer he_fan_out(const int taps, const int outputs) {
  return {nn::Fill::normal, std::sqrt(2.0 / (static_cast<double>(taps) * taps * outputs))};
}

/// U(-b, b), b = 1 / sqrt(fan_in): what the published ResNet-18 and VGG runs began with.
inline nn::Initializer uniform_fan_in(const double fan_in) {
  return {nn::Fill::uniform, 1 / std::sqrt(fan_in)};
}

}  // namespace bcr::models

#endif
