#include "io/splits/selection.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {

Selection select_images(const ClassChoice& choice, const std::span<const std::int32_t> labels,
                        const std::span<const std::string> class_names, const std::string& file) {
  Selection selection;
  selection.classes = chosen_classes(choice, class_names, file);
  constexpr std::int32_t not_chosen = -1;
  std::vector<std::int32_t> new_label(class_names.size(), not_chosen);
  for (std::size_t i = 0; i < class_names.size(); ++i) {
    const auto at = std::find(selection.classes.begin(), selection.classes.end(), class_names[i]);
    if (at != selection.classes.end()) new_label[i] = static_cast<std::int32_t>(at - selection.classes.begin());
  }
  std::vector<std::size_t> counts(selection.classes.size(), 0);
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::int32_t label = new_label[static_cast<std::size_t>(labels[row])];
    if (label == not_chosen) continue;
    selection.rows.push_back(static_cast<std::uint32_t>(row));
    selection.labels.push_back(label);
    ++counts[static_cast<std::size_t>(label)];
  }
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0 || choice.rule == ClassChoice::Rule::without) continue;
    throw IoError(fmt::format("classes of {}", file), fmt::format("images of class '{}'", selection.classes[i]),
                  "none");
  }
  if (selection.rows.empty()) throw IoError(fmt::format("classes of {}", file), "at least one image", "none");
  return selection;
}

}  // namespace bcr::io
