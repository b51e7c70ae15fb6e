#include "models/backbones/registry.hpp"

#include "models/backbones/gru.hpp"
#include "models/backbones/resnet18.hpp"
#include "models/backbones/vgg.hpp"
#include "models/backbones/wide_resnet.hpp"

namespace bcr::models {

nn::Graph make_backbone(const BackboneOptions& options, const nn::ImageShape& input) {
  if (options.name == "wrn")
    return wide_resnet(input, {.depth = options.depth, .width = options.width, .dropout = options.dropout});
  if (options.name == "resnet18") return resnet18(input);
  if (options.name == "vgg") return vgg(input);
  if (options.name == "gru")
    return gru(input, {.vocabulary = options.vocabulary,
                       .embedding = options.embedding,
                       .units = options.units,
                       .layers = options.layers});
  throw ConfigError("make_backbone", "wrn, resnet18, vgg or gru", options.name);
}

}  // namespace bcr::models
