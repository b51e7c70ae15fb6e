#include "models/backbones/registry.hpp"

#include "models/backbones/densenet.hpp"
#include "models/backbones/dhrnet.hpp"
#include "models/backbones/gru.hpp"
#include "models/backbones/ladder_vae.hpp"
#include "models/backbones/resnet18.hpp"
#include "models/backbones/vgg.hpp"
#include "models/backbones/wide_resnet.hpp"
#include "src/nn/graph.hpp"

#include <algorithm>

namespace bcr::models {

Registry<BackboneEntry>& backbones() {
  static Registry<BackboneEntry> registry(
      "backbone", {wide_resnet_entry(), resnet18_entry(), vgg_entry(), densenet_entry(), dhrnet_entry(),
                   ladder_vae_entry(), gru_entry()});
  return registry;
}

nn::Graph make_backbone(const BackboneOptions& options, const nn::ImageShape& input) {
  require_backbone(options, "model.");
  require_input(options, input);
  return backbones().find(options.name).make(options, input);
}

void require_backbone(const BackboneOptions& options, const std::string& section) {
  const BackboneEntry& entry = backbones().find(options.name);
  if (entry.check != nullptr) entry.check(options, section);
}

void require_input(const BackboneOptions& options, const nn::ImageShape& input) {
  const int divisor = backbones().find(options.name).divides_image;
  if (input.height % divisor == 0 && input.width % divisor == 0) return;
  throw ShapeError("backbone " + options.name,
                   "images whose height and width " + std::to_string(divisor) + " divides", input.text());
}

void require_three_groups(const BackboneOptions& options, const std::string& section) {
  if (options.depth >= 10 && options.depth % 6 == 4) return;
  throw ConfigError(section + "depth", "6 N + 4 layers of a " + options.name + ": 10, 16, 22, 28, 34, 40, ...",
                    std::to_string(options.depth));
}

std::string readers_of(const std::string_view option) {
  std::string list;
  for (const BackboneEntry& entry : backbones().entries())
    if (std::ranges::count(entry.options, option) > 0) list += (list.empty() ? "a " : ", a ") + entry.name;
  return list;
}

}  // namespace bcr::models
