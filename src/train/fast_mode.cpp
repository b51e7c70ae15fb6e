#include "src/train/fast_mode.hpp"

#include "models/backbones/registry.hpp"
#include "src/nn/linear_backend.hpp"
#include "src/train/experiment.hpp"

namespace bcr::train {

void require_library(const RunOptions& options) {
  const models::BackboneInput input = models::backbones().find(options.model.backbone.name).input;
  if (input == models::BackboneInput::tokens) return nn::require_linear_library<Device>(options.mode, options.fast);
  nn::require_library<Device>(options.mode, options.fast);
}

}  // namespace bcr::train
