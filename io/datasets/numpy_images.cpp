#include "io/datasets/image_readers.hpp"
#include "io/datasets/imagenet_classes.hpp"

#include "io/datasets/npy_file.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::io {

namespace {

constexpr std::size_t most_inferred_classes = 65536;

[[noreturn]] void refuse_array(const NpyArray& array, const std::string_view expected) {
  refuse(array.stream_name, array.data_offset, expected,
         fmt::format("array {} of type {} and shape [{}]", array.name, array.type, fmt::join(array.extents, ", ")));
}

bool is_label_list(const NpyArray& array) {
  return array.extents.size() == 1 || (array.extents.size() == 2 && array.extents[1] == 1);
}

bool are_images(const NpyArray& array) {
  const auto& extents = array.extents;
  const bool rank =
      is_u8(array) && (extents.size() == 3 || (extents.size() == 4 && (extents[3] == 1 || extents[3] == 3)));
  return rank && extents[0] > 0 && extents[0] <= largest_count && extents[1] > 0 && extents[1] <= largest_side &&
         extents[2] > 0 && extents[2] <= largest_side;
}

ImageSet make_images(NpyArray& array) {
  ImageSet set;
  set.count = array.extents[0];
  set.height = array.extents[1];
  set.width = array.extents[2];
  set.channels = array.extents.size() == 4 ? array.extents[3] : 1;
  set.images = std::move(array.data);
  return set;
}

/// The side S of planar images [N, 3 S S].
std::size_t planar_side(const NpyArray& array) {
  if (is_u8(array) && array.extents.size() == 2 && array.extents[0] > 0 && array.extents[0] <= largest_count) {
    for (std::size_t side = 1; side <= 256; ++side) {
      if (3 * side * side == array.extents[1]) return side;
    }
  }
  refuse_array(array, "u8 images [N, 3 S S] in planes");
}

ImageSet make_planar_images(const NpyArray& array) {
  ImageSet set;
  set.height = planar_side(array);
  set.width = set.height;
  set.channels = 3;
  set.count = array.extents[0];
  set.images.resize(array.data.size());
  for (std::size_t n = 0; n < set.count; ++n) {
    const std::size_t at = n * set.image_bytes();
    interleave_planes(array.data.data() + at, set.height * set.width, set.images.data() + at);
  }
  return set;
}

void require_label_count(const ImageSet& set, const std::string& file) {
  if (set.labels.size() == set.count) return;
  throw IoError("import " + file, fmt::format("{} labels, one for each image", set.count),
                fmt::format("{}", set.labels.size()));
}

}  // namespace

ImageSet read_numpy(const ImportRequest& request) {
  require_paths(request, "npy", ".npy or .npz files");
  const std::size_t classes = request.class_names.empty() ? most_inferred_classes : request.class_names.size();
  ImageSet set;
  std::vector<std::int32_t> labels;
  for (const auto& path : request.paths) {
    for (NpyArray& array : read_npy_file(path)) {
      if (is_label_list(array)) {
        const auto more = labels_of(array, 0, classes);
        labels.insert(labels.end(), more.begin(), more.end());
      } else if (are_images(array)) {
        append(set, make_images(array), path.string());
      } else {
        refuse_array(array, "u8 images [N, H, W] or [N, H, W, C], or integer labels [N]");
      }
    }
    request.progress(set.count, 0);
  }
  if (set.count == 0) throw IoError("import " + request.paths[0].string(), "an array of images", "none");
  const bool labelled = !labels.empty();
  set.labels = labelled ? std::move(labels) : std::vector<std::int32_t>(set.count, 0);
  require_label_count(set, request.paths.back().string());
  const auto largest = static_cast<std::size_t>(*std::max_element(set.labels.begin(), set.labels.end()));
  set.class_names = request.class_names;
  if (set.class_names.empty()) {
    set.class_names = labelled ? numbered_classes(largest + 1) : std::vector<std::string>{"unlabelled"};
  }
  set.source = source_text("npy", request.paths);
  return set;
}

ImageSet read_imagenet_batches(const ImportRequest& request) {
  require_paths(request, "imagenet-batches", ".npz batches");
  std::vector<std::string> names = request.class_names.empty() ? imagenet_classes() : request.class_names;
  ImageSet set;
  std::vector<std::int32_t> labels;
  for (const auto& path : request.paths) {
    for (const NpyArray& array : read_npy_file(path)) {
      if (is_label_list(array)) {
        const auto more = labels_of(array, 1, names.size());
        labels.insert(labels.end(), more.begin(), more.end());
      } else {
        append(set, make_planar_images(array), path.string());
      }
    }
    request.progress(set.count, 0);
  }
  if (set.count == 0) throw IoError("import " + request.paths[0].string(), "an array of images", "none");
  set.labels = std::move(labels);
  require_label_count(set, request.paths.back().string());
  set.class_names = std::move(names);
  set.source = source_text("imagenet-batches", request.paths);
  return set;
}

}  // namespace bcr::io
