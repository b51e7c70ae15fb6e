#ifndef BCR_MODELS_BACKBONES_REGISTRY_HPP
#define BCR_MODELS_BACKBONES_REGISTRY_HPP

#include "models/backbones/options.hpp"
#include "src/nn/graph.hpp"

namespace bcr::models {

/// The graph of the named backbone for images of this shape; ConfigError that lists the names for any other.
nn::Graph make_backbone(const BackboneOptions& options, const nn::ImageShape& input);

}  // namespace bcr::models

#endif
