#ifndef BCR_MODELS_BACKBONES_CONDITIONED_DECODER_HPP
#define BCR_MODELS_BACKBONES_CONDITIONED_DECODER_HPP

#include "src/nn/graph.hpp"

namespace bcr::models {

struct ConditionedDecoderSettings {
  int width = 8;    ///< w: maps of 64 w, 64 w, 32 w and 16 w channels
  int classes = 2;  ///< C
};

/// Classes that an image is reconstructed for at once.
inline constexpr int decoded_conditions = 2;

/// The decoder of C2AE (Oza and Patel, CVPR 2019) behind the "features" of any graph of images: they are modulated by a
/// class (src/nn/layers/film.hpp), widened by a linear layer to 64 w maps of a 16th of the height and width, and grown
/// by four transposed 4 x 4 convolutions of stride 2; a leaky ReLU, then a batch norm follow each but the last.
///
/// Output "reconstructions" [S H, W, channels]: one image under the other, for S = decoded_conditions classes.
/// Everything is called "decoder.*". ShapeError unless 16 divides height and width.
void add_conditioned_decoder(nn::Graph& graph, const ConditionedDecoderSettings& settings);

}  // namespace bcr::models

#endif
