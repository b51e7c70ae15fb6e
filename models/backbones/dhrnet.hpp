#ifndef BCR_MODELS_BACKBONES_DHRNET_HPP
#define BCR_MODELS_BACKBONES_DHRNET_HPP

#include "models/backbones/registry.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

struct DhrNetSettings {
  int width = 4;         ///< w: blocks of 16 w, 32 w and 64 w channels, bottlenecks of 8 w
  int layers = 2;        ///< N: 3 x 3 convolutions of the first two blocks; the third has 2 N - 1
  int units = 4096;      ///< of the two linear layers
  double dropout = 0.5;  ///< after the linear layers; half of it after the blocks
};

/// DHRNet, the network of CROSR (Yoshihashi et al. 2019) with the sizes of its public implementations: a VGG of three
/// blocks x_1, x_2, x_3, each ending in a 2 x 2 maximum, and two linear layers; beside it, and not in the way from image
/// to class, a bottleneck of each block and a decoder of them all:
///
///   z_l = relu(conv3x3(x_l)),   j_l = conv3x3(z_l),
///   g_2 = relu(T(j_3)),   g_1 = relu(T(j_2 + g_2)),   reconstruction = T(j_1 + g_1),
///
/// T being the transposed 2 x 2 convolution of stride 2. Outputs: "features" [N, units], "reconstruction" like the images,
/// and "latent" [N, 24 w], the means of z_3, z_2 and z_1 over their pixels. ShapeError unless 8 divides height and width.
nn::Graph dhrnet(const nn::ImageShape& input, const DhrNetSettings& settings);

BackboneEntry dhrnet_entry();

}  // namespace bcr::models

#endif
