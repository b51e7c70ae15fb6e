#include "src/train/commands/templates.hpp"

namespace bcr::train {

Registry<ConfigTemplate>& config_templates() {
  static Registry<ConfigTemplate> templates(
      "template", {{"own-images", "pictures of one's own: known classes, background, unknown", own_images_template()}});
  return templates;
}

}  // namespace bcr::train
