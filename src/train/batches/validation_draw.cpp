#include "src/train/batches/validation_draw.hpp"

#include "src/core/random.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace bcr::train {
namespace {

/// Which images are kept out, in the order of the selection.
std::vector<bool> kept_out(const io::Selection& known, const double fraction, const std::uint64_t seed) {
  std::vector<std::vector<std::pair<std::uint64_t, std::size_t>>> words(known.classes.size());  // with the image's place
  for (std::size_t i = 0; i < known.labels.size(); ++i) {
    auto& own = words[static_cast<std::size_t>(known.labels[i])];
    const auto label = static_cast<std::uint32_t>(known.labels[i]);
    own.emplace_back(Random(seed, Stream("data/validation"), label, own.size()).word64(), i);
  }
  std::vector<bool> out(known.labels.size(), false);
  for (auto& own : words) {
    if (own.size() < 2) continue;
    const auto wanted = static_cast<std::size_t>(fraction * double(own.size()) + 0.5);
    std::sort(own.begin(), own.end());
    own.resize(std::clamp<std::size_t>(wanted, 1, own.size() - 1));
    for (const auto& [word, image] : own) out[image] = true;
  }
  return out;
}

}  // namespace

ValidationDraw draw_validation(const io::Selection& known, const double fraction, const std::uint64_t seed) {
  ValidationDraw draw{{{}, {}, known.classes}, {{}, {}, known.classes}};
  const std::vector<bool> out = fraction > 0 ? kept_out(known, fraction, seed) : std::vector<bool>(known.rows.size());
  for (std::size_t i = 0; i < known.rows.size(); ++i) {
    io::Selection& side = out[i] ? draw.validation : draw.train;
    side.rows.push_back(known.rows[i]);
    side.labels.push_back(known.labels[i]);
  }
  return draw;
}

}  // namespace bcr::train
