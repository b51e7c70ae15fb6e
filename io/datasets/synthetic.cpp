#include "io/datasets/image_readers.hpp"

#include "io/datasets/synthetic/painters.hpp"
#include "src/core/error.hpp"

#include <fmt/format.h>

#include <array>

namespace bcr::io {

namespace {

constexpr std::size_t default_count = 50000;
constexpr std::size_t default_size = 32;
constexpr std::size_t largest_synthetic_size = 256;  // beyond, an image would need more random words than it has

struct Kind {
  const char* name;
  void (*paint)(const synthetic::Seed& seed, synthetic::Canvas& canvas);
};

constexpr std::array kinds = {
    Kind{"1/f fields", synthetic::paint_fractal},   Kind{"dead leaves", synthetic::paint_dead_leaves},
    Kind{"textured cells", synthetic::paint_cells}, Kind{"oriented gratings", synthetic::paint_gratings},
    Kind{"shaded blobs", synthetic::paint_blobs},
};

}  // namespace

ImageSet make_synthetic(const ImportRequest& request) {
  if (!request.paths.empty()) throw ConfigError("import synthetic", "no path", request.paths[0].string());
  ImageSet set;
  set.count = request.count == 0 ? default_count : request.count;
  const std::size_t size = request.size == 0 ? default_size : request.size;
  if (size < 8 || size > largest_synthetic_size) {
    throw ConfigError("import synthetic", fmt::format("--size of 8 to {}", largest_synthetic_size),
                      fmt::format("{}", size));
  }
  if (set.count > largest_count) {
    throw ConfigError("import synthetic", fmt::format("--count of at most {}", largest_count),
                      fmt::format("{}", set.count));
  }
  set.height = size;
  set.width = size;
  set.channels = 3;
  set.images.resize(set.count * set.image_bytes());
  set.labels.resize(set.count);
  for (std::size_t i = 0; i < set.count; ++i) {
    const std::size_t kind = i % kinds.size();
    synthetic::Canvas canvas{size, std::span(set.images).subspan(i * set.image_bytes(), set.image_bytes())};
    kinds[kind].paint({request.seed, i}, canvas);
    set.labels[i] = static_cast<std::int32_t>(kind);
    request.progress(i + 1, set.count);
  }
  for (const Kind& kind : kinds) set.class_names.emplace_back(kind.name);
  set.source = fmt::format("synthetic: version 1, seed {}", request.seed);
  set.licence = "made by code, no rights reserved";
  return set;
}

}  // namespace bcr::io
