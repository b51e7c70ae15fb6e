#include "io/datasets/image_readers.hpp"

#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {
namespace {

namespace fs = std::filesystem;

template <class Wanted>
std::vector<fs::path> sorted_entries(const fs::path& directory, const Wanted& wanted) {
  std::error_code failure;
  std::vector<fs::path> paths;
  const fs::directory_iterator entries(directory, failure);
  if (failure) throw IoError("list " + directory.string(), "a directory", failure.message());
  for (const fs::directory_entry& entry : entries) {
    if (wanted(entry)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end(),
            [](const fs::path& a, const fs::path& b) { return a.filename().native() < b.filename().native(); });
  return paths;
}

}  // namespace

std::vector<fs::path> sorted_directories(const fs::path& directory) {
  return sorted_entries(directory, [](const fs::directory_entry& entry) { return entry.is_directory(); });
}

std::vector<fs::path> sorted_pictures(const fs::path& directory) {
  return sorted_entries(directory, [](const fs::directory_entry& entry) {
    return !entry.is_directory() && is_picture_name(entry.path());
  });
}

ImageSet decode_pictures(const std::vector<LabelledPicture>& pictures, const std::size_t size,
                         const Progress& progress) {
  if (size == 0 || size > largest_side) {
    throw ConfigError("import of pictures", fmt::format("--size of 1 to {}", largest_side), fmt::format("{}", size));
  }
  ImageSet set;
  set.height = size;
  set.width = size;
  set.channels = 3;
  for (const LabelledPicture& labelled : pictures) {
    Picture picture = read_picture(labelled.path);
    const bool fits = picture.height == size && picture.width == size;
    const auto pixels = fits ? std::move(picture.rgb) : resize_and_crop(picture, size);
    set.images.insert(set.images.end(), pixels.begin(), pixels.end());
    set.labels.push_back(labelled.label);
    set.files.push_back(labelled.name);
    ++set.count;
    progress(set.count, pictures.size());
  }
  return set;
}

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
      for (const auto& file : files) {
        const fs::path name = folder_name(root) / file.lexically_relative(root);
        pictures.push_back({file, name.generic_string(), label});
      }
    }
  }
  ImageSet set = decode_pictures(pictures, request.size, request.progress);
  set.class_names = std::move(names);
  set.source = source_text("folder", request.paths);
  return set;
}

}  // namespace bcr::io
