#include "io/splits/hold_out.hpp"

#include "src/core/error.hpp"
#include "src/core/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace bcr::io {
namespace {

/// The same set without its images.
ImageSet emptied(const ImageSet& set) {
  ImageSet empty;
  empty.height = set.height;
  empty.width = set.width;
  empty.channels = set.channels;
  empty.class_names = set.class_names;
  empty.name = set.name;
  empty.source = set.source;
  empty.licence = set.licence;
  empty.fit = set.fit;
  return empty;
}

void append_image(const ImageSet& set, const std::size_t i, ImageSet& dst) {
  const auto first = set.images.begin() + static_cast<std::ptrdiff_t>(i * set.image_bytes());
  dst.images.insert(dst.images.end(), first, first + static_cast<std::ptrdiff_t>(set.image_bytes()));
  dst.labels.push_back(set.labels[i]);
  if (!set.files.empty()) dst.files.push_back(set.files[i]);
  ++dst.count;
}

}  // namespace

std::vector<bool> draw_of_each_class(const std::span<const std::int32_t> labels, const std::size_t classes,
                                     const double fraction, const std::uint64_t seed, const std::string_view stream) {
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> words(classes);  // with the sample's place
  for (std::size_t i = 0; i < labels.size(); ++i) {
    auto& own = words[static_cast<std::size_t>(labels[i])];
    const auto label = static_cast<std::uint32_t>(labels[i]);
    own.emplace_back(Random(seed, Stream(stream), label, own.size()).word64(), i);
  }
  std::vector<bool> drawn(labels.size(), false);
  for (auto& own : words) {
    if (own.size() < 2) continue;
    const auto wanted = static_cast<std::size_t>(fraction * double(own.size()) + 0.5);
    std::sort(own.begin(), own.end());
    own.resize(std::clamp<std::size_t>(wanted, 1, own.size() - 1));
    for (const auto& [word, sample] : own) drawn[sample] = true;
  }
  return drawn;
}

HeldOut hold_out(const ImageSet& set, const double fraction, const std::uint64_t seed) {
  if (!(fraction > 0 && fraction < 1))
    throw ConfigError("--hold-out", "a share between 0 and 1", fmt::format("{}", fraction));
  const std::vector<bool> drawn =
      draw_of_each_class(set.labels, set.class_names.size(), fraction, seed, "data/hold-out");
  HeldOut held{emptied(set), emptied(set)};
  for (std::size_t i = 0; i < set.count; ++i) append_image(set, i, drawn[i] ? held.test : held.train);
  require<IoError>(held.test.count > 0, "--hold-out", "a class with two images or more", "none");
  return held;
}

}  // namespace bcr::io
