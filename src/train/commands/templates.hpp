#ifndef BCR_SRC_TRAIN_COMMANDS_TEMPLATES_HPP
#define BCR_SRC_TRAIN_COMMANDS_TEMPLATES_HPP

#include "src/core/registry.hpp"

#include <string>
#include <string_view>

namespace bcr::train {

/// A configuration to begin with, with comments for people: a file of configs/templates.
struct ConfigTemplate {
  std::string name;
  std::string summary;
  std::string_view text;
};

Registry<ConfigTemplate>& config_templates();

/// The text of configs/templates/own-images.toml, built into the program.
std::string_view own_images_template();

}  // namespace bcr::train

#endif
