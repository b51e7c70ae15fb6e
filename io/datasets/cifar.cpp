#include "io/datasets/image_readers.hpp"

#include "io/bytes/byte_stream.hpp"
#include "io/images/fit.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::io {
namespace {

constexpr std::size_t side = 32;
constexpr std::size_t pixels = side * side;
constexpr std::size_t records_per_read = 256;

/// One of the label bytes at the head of a record, and how many values it may take.
struct LabelByte {
  std::string_view name;
  std::size_t classes;
};

struct Layout {
  std::vector<LabelByte> label_bytes;
  std::size_t used_label = 0;
  std::size_t published_records = 0;  ///< 0: any number

  std::size_t record_bytes() const { return label_bytes.size() + 3 * pixels; }
};

std::size_t count_records(const InputFile& file, const Layout& layout) {
  const std::uint64_t whole = file.size() / layout.record_bytes();
  if (file.size() % layout.record_bytes() != 0) {
    refuse(file.name(), whole * layout.record_bytes(), fmt::format("whole records of {} bytes", layout.record_bytes()),
           fmt::format("{} bytes to the end of the file", file.size() % layout.record_bytes()));
  }
  if (layout.published_records != 0 && whole != layout.published_records) {
    refuse(file.name(), file.size(), fmt::format("the {} records of the published file", layout.published_records),
           fmt::format("{}", whole));
  }
  return static_cast<std::size_t>(whole);
}

void read_record(const std::uint8_t* record, const std::uint64_t offset, const std::string& file, const Layout& layout,
                 ImageSet& set) {
  for (std::size_t i = 0; i < layout.label_bytes.size(); ++i) {
    const LabelByte& byte = layout.label_bytes[i];
    if (record[i] >= byte.classes) {
      refuse(file, offset + i, fmt::format("a {} label below {}", byte.name, byte.classes), std::to_string(record[i]));
    }
  }
  set.labels.push_back(record[layout.used_label]);
  Picture image{side, side, std::vector<std::uint8_t>(3 * pixels)};
  interleave_planes(record + layout.label_bytes.size(), pixels, image.rgb.data());
  image = fit_picture(std::move(image), Fit::area_crop, set.height, set.width);
  set.images.insert(set.images.end(), image.rgb.begin(), image.rgb.end());
}

void read_records(const std::filesystem::path& path, const Layout& layout, const Progress& progress, ImageSet& set) {
  const InputFile file(path);
  const std::size_t records = count_records(file, layout);
  set.images.reserve(set.images.size() + records * set.image_bytes());
  std::vector<std::uint8_t> buffer(records_per_read * layout.record_bytes());
  for (std::size_t first = 0; first < records; first += records_per_read) {
    const std::size_t count = std::min(records_per_read, records - first);
    const std::uint64_t offset = std::uint64_t{first} * layout.record_bytes();
    file.read_at(offset, std::span(buffer).first(count * layout.record_bytes()), "records");
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = i * layout.record_bytes();
      read_record(buffer.data() + at, offset + at, file.name(), layout, set);
    }
    set.count += count;
    progress(set.count, 0);
  }
}

ImageSet make_empty(std::vector<std::string> class_names, const ImportRequest& request) {
  require<ConfigError>(request.size <= largest_side, "--size", fmt::format("1 to {}", largest_side),
                       std::to_string(request.size));
  ImageSet set;
  set.height = request.size == 0 ? side : request.size;
  set.width = set.height;
  set.channels = 3;
  set.class_names = std::move(class_names);
  return set;
}

}  // namespace

ImageSet read_cifar10(const ImportRequest& request) {
  require_paths(request, "cifar10", "binary batches, or their directory");
  Layout layout{{{"class", 10}}};
  auto files = request.paths;
  if (is_published_layout(request)) {
    layout.published_records = 10000;
    files = published_files(
        request.paths[0], request.part,
        {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"},
        {"test_batch.bin"});
  }
  ImageSet set = make_empty(cifar10_class_names(), request);
  for (const auto& file : files) read_records(file, layout, request.progress, set);
  set.source = source_text("cifar10", files);
  return set;
}

ImageSet read_cifar100(const ImportRequest& request) {
  require_paths(request, "cifar100", "binary files, or their directory");
  const bool fine = request.label_kind == LabelKind::fine;
  Layout layout{{{"coarse", 20}, {"fine", 100}}, fine ? std::size_t{1} : std::size_t{0}};
  ImageSet set = make_empty(fine ? cifar100_fine_class_names() : cifar100_coarse_class_names(), request);
  auto files = request.paths;
  const bool published = is_published_layout(request);
  if (published) files = published_files(request.paths[0], request.part, {"train.bin"}, {"test.bin"});
  for (const auto& file : files) {
    if (published) layout.published_records = file.filename() == "train.bin" ? 50000 : 10000;
    read_records(file, layout, request.progress, set);
  }
  set.source = source_text(fine ? "cifar100, fine labels" : "cifar100, coarse labels", files);
  return set;
}

std::vector<std::string> cifar10_class_names() {
  return {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
}

std::vector<std::string> cifar100_fine_class_names() {
  return {"apple",      "aquarium_fish", "baby",         "bear",       "beaver",      "bed",         "bee",
          "beetle",     "bicycle",       "bottle",       "bowl",       "boy",         "bridge",      "bus",
          "butterfly",  "camel",         "can",          "castle",     "caterpillar", "cattle",      "chair",
          "chimpanzee", "clock",         "cloud",        "cockroach",  "couch",       "crab",        "crocodile",
          "cup",        "dinosaur",      "dolphin",      "elephant",   "flatfish",    "forest",      "fox",
          "girl",       "hamster",       "house",        "kangaroo",   "keyboard",    "lamp",        "lawn_mower",
          "leopard",    "lion",          "lizard",       "lobster",    "man",         "maple_tree",  "motorcycle",
          "mountain",   "mouse",         "mushroom",     "oak_tree",   "orange",      "orchid",      "otter",
          "palm_tree",  "pear",          "pickup_truck", "pine_tree",  "plain",       "plate",       "poppy",
          "porcupine",  "possum",        "rabbit",       "raccoon",    "ray",         "road",        "rocket",
          "rose",       "sea",           "seal",         "shark",      "shrew",       "skunk",       "skyscraper",
          "snail",      "snake",         "spider",       "squirrel",   "streetcar",   "sunflower",   "sweet_pepper",
          "table",      "tank",          "telephone",    "television", "tiger",       "tractor",     "train",
          "trout",      "tulip",         "turtle",       "wardrobe",   "whale",       "willow_tree", "wolf",
          "woman",      "worm"};
}

std::vector<std::string> cifar100_coarse_class_names() {
  return {"aquatic_mammals",
          "fish",
          "flowers",
          "food_containers",
          "fruit_and_vegetables",
          "household_electrical_devices",
          "household_furniture",
          "insects",
          "large_carnivores",
          "large_man-made_outdoor_things",
          "large_natural_outdoor_scenes",
          "large_omnivores_and_herbivores",
          "medium_mammals",
          "non-insect_invertebrates",
          "people",
          "reptiles",
          "small_mammals",
          "trees",
          "vehicles_1",
          "vehicles_2"};
}

}  // namespace bcr::io
