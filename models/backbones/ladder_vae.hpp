#ifndef BCR_MODELS_BACKBONES_LADDER_VAE_HPP
#define BCR_MODELS_BACKBONES_LADDER_VAE_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

struct LadderVaeSettings {
  int width = 4;   ///< w: the first level has 16 w channels
  int layers = 2;  ///< units of a level: 2, of five levels as published, or 1, of three
  int units = 32;  ///< d: coordinates of the highest Gaussian
};

/// The ladder VAE of CGDL (Sun et al., CVPR 2020). A unit on the way up is a convolution, a batch norm without factor
/// and shift, a PReLU h, and a linear layer that makes a Gaussian of h. Levels have 16 w times 1, 2, 4, 8, 8 channels;
/// the last unit of each halves height and width. On the way down, from a sample z of a Gaussian: a linear layer to the
/// size of that unit's h, a PReLU, a transposed convolution to the h of the unit below, a batch norm, and a linear layer
/// that makes a Gaussian; joined with that of the way up (src/nn/layers/gaussian.hpp), it gives the next z. Below the
/// lowest unit the transposed convolution ends in tanh: images in (-1, 1).
///
/// Outputs: "top" [N, 2 d], the highest Gaussian; "features" [N, d], a sample of it in training, else its mean;
/// "divergence" [N, units - 1], how far joined Gaussians are from those of the way down, the highest first;
/// "reconstruction" like the images. ShapeError unless 2^levels divides height and width.
nn::Graph ladder_vae(const nn::ImageShape& input, const LadderVaeSettings& settings);

BackboneEntry ladder_vae_entry();

}  // namespace bcr::models

#endif
