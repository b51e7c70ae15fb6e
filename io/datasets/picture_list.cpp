#include "io/datasets/picture_list.hpp"

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
    ++set.count;
    progress(set.count, pictures.size());
  }
  return set;
}

}  // namespace bcr::io
