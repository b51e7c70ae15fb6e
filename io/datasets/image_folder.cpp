#include "io/datasets/image_folder.hpp"

#include "io/datasets/picture_list.hpp"
#include "src/core/error.hpp"

#include <algorithm>

namespace bcr::io {

namespace {

/// The index of a class, which is added if it is new: the same folder name under two paths is one class.
std::int32_t class_index(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    names.push_back(name);
    return static_cast<std::int32_t>(names.size() - 1);
  }
  return static_cast<std::int32_t>(found - names.begin());
}

std::string folder_name(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.empty() ? path.parent_path().filename().string() : name;
}

}  // namespace

ImageSet read_image_folder(const ImportRequest& request) {
  require_paths(request, "folder", "directories with one folder per class");
  std::vector<std::string> names;
  std::vector<LabelledPicture> pictures;
  for (const auto& root : request.paths) {
    auto folders = sorted_directories(root);
    if (folders.empty()) folders = {root};
    for (const auto& folder : folders) {
      const auto files = sorted_pictures(folder);
      if (files.empty()) throw IoError("import folder " + folder.string(), "PNG or JPEG files", "none");
      const std::int32_t label = class_index(names, folder_name(folder));
      for (const auto& file : files) pictures.push_back({file, label});
    }
  }
  ImageSet set = decode_pictures(pictures, request.size, request.progress);
  set.class_names = std::move(names);
  set.source = source_text("folder", request.paths);
  return set;
}

}  // namespace bcr::io
