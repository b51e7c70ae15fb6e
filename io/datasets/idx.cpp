#include "io/datasets/image_readers.hpp"

#include "io/bytes/inflate_stream.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

namespace bcr::io {

namespace {

constexpr std::uint32_t images_magic = 0x803;
constexpr std::uint32_t labels_magic = 0x801;

std::uint32_t read_word(ByteStream& stream, const std::string_view what) {
  return stream.read_number<std::uint32_t, std::endian::big>(what);
}

void expect_magic(ByteStream& stream, const std::uint32_t magic, const std::string_view kind) {
  const std::uint32_t found = read_word(stream, "magic number");
  if (found == magic) return;
  refuse(stream.name(), 0, fmt::format("magic number {:#x} of an IDX file of {}", magic, kind),
         fmt::format("{:#x}", found));
}

std::size_t read_extent(ByteStream& stream, const std::string_view what, const std::size_t largest) {
  const std::uint64_t at = stream.offset();
  const std::size_t extent = read_word(stream, what);
  if (extent == 0 || extent > largest) {
    refuse(stream.name(), at, fmt::format("{} of 1 to {}", what, largest), std::to_string(extent));
  }
  return extent;
}

void read_images(const std::filesystem::path& path, ImageSet& set) {
  const auto stream = open_plain_or_gzip(path);
  expect_magic(*stream, images_magic, "images");
  set.count = read_extent(*stream, "image count", largest_count);
  set.height = read_extent(*stream, "height", largest_side);
  set.width = read_extent(*stream, "width", largest_side);
  set.channels = 1;
  stream->append_to(set.images, set.count * set.image_bytes(), "pixels");
  stream->expect_end();
}

void read_labels(const std::filesystem::path& path, const std::size_t classes, ImageSet& set) {
  const auto stream = open_plain_or_gzip(path);
  expect_magic(*stream, labels_magic, "labels");
  const std::size_t count = read_extent(*stream, "label count", largest_count);
  if (count != set.count) {
    refuse(stream->name(), 4, fmt::format("{} labels, one for each image", set.count), std::to_string(count));
  }
  const std::uint64_t first = stream->offset();
  std::vector<std::uint8_t> labels;
  stream->append_to(labels, count, "labels");
  stream->expect_end();
  for (std::size_t i = 0; i < count; ++i) {
    if (labels[i] >= classes) {
      refuse(stream->name(), first + i, fmt::format("a label below {}", classes), std::to_string(labels[i]));
    }
  }
  set.labels.assign(labels.begin(), labels.end());
}

}  // namespace

ImageSet read_idx(const ImportRequest& request) {
  require_paths(request, "idx", "image and label files, or a directory");
  auto files = request.paths;
  if (is_published_layout(request)) {
    files = published_files(request.paths[0], request.part, {"train-images-idx3-ubyte", "train-labels-idx1-ubyte"},
                            {"t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"});
  }
  if (files.size() % 2 != 0) {
    throw ConfigError("import idx", "an image file, its label file, and so on", fmt::format("{} files", files.size()));
  }
  const auto names = request.class_names.empty() ? numbered_classes(10) : request.class_names;
  ImageSet set;
  for (std::size_t i = 0; i < files.size(); i += 2) {
    ImageSet piece;
    read_images(files[i], piece);
    read_labels(files[i + 1], names.size(), piece);
    append(set, std::move(piece), files[i].string());
    request.progress(set.count, 0);
  }
  set.class_names = names;
  set.source = source_text("idx", files);
  return set;
}

ImageSet read_fashion_mnist(const ImportRequest& request) {
  ImportRequest named = request;
  named.class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
                       "Sandal",      "Shirt",   "Sneaker",  "Bag",   "Ankle boot"};
  return read_idx(named);
}

}  // namespace bcr::io
