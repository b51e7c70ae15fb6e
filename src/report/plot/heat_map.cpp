#include "src/report/plot/plots.hpp"

#include "src/report/plot/frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bcr::report {

namespace {

constexpr std::size_t longest_name = 13;

/// At most `longest_name` letters.
std::string shortened(const std::string& name) {
  std::size_t letters = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((name[i] & 0xC0) == 0x80) continue;
    if (++letters > longest_name) return name.substr(0, i) + "…";
  }
  return name;
}

std::string cell_text(const double share) {
  const double percent = 100 * share;
  return percent >= 0.5 ? fmt::format("{:.0f}", percent) : std::string();
}

}  // namespace

Drawing draw(const HeatMap& map) {
  const std::size_t size = map.names.size();
  const bool labelled = size <= HeatMap::most_labels;
  double widest = 0;
  for (const std::string& name : map.names) widest = std::max(widest, text_width(shortened(name)));
  const double left = labelled ? 34 + widest : 30;
  const double top = 10;
  const double side = (plot_width - left - 12) / static_cast<double>(std::max<std::size_t>(size, 1));
  const double cell = labelled ? std::min(side, 46.0) : side;
  const double height = labelled ? std::min(cell, 34.0) : side;
  const double below = labelled ? 18 + std::min(widest, 90.0) : 0;
  const double bottom = top + height * static_cast<double>(size);
  Drawing drawing(plot_width, bottom + below + 24, map.title);
  const double right = left + cell * static_cast<double>(size);
  if (!labelled) drawing.rectangle({left, top}, {right, bottom}, "empty");
  for (std::size_t i = 0; i < size; ++i) {
    const auto total = std::accumulate(map.counts[i].begin(), map.counts[i].end(), std::uint64_t{0});
    const double y = top + height * static_cast<double>(i);
    if (labelled) {
      drawing.text({left - 6, y + height / 2 + 4}, shortened(map.names[i]), "tick", Anchor::end);
      drawing.upright_text({left + cell * (static_cast<double>(i) + 0.5) + 4, bottom + 8 + below / 2 - 4},
                           shortened(map.names[i]), "tick");
    }
    for (std::size_t j = 0; j < size; ++j) {
      const double share = total == 0 ? 0 : static_cast<double>(map.counts[i][j]) / static_cast<double>(total);
      const double x = left + cell * static_cast<double>(j);
      const double gap = labelled ? 1 : 0;
      const Point corner{x + cell - gap, y + height - gap};
      const std::string tip = fmt::format("{} of {} images of {} were called {} ({:.1f} %)", map.counts[i][j], total,
                                          map.names[i], map.names[j], 100 * share);
      if (labelled) drawing.rectangle({x, y}, corner, "empty");
      if (labelled || map.counts[i][j] != 0) {
        drawing.rectangle({x, y}, corner, i == j ? "cell s1" : "cell s2", share, tip);
      }
      if (labelled) {
        drawing.text({x + cell / 2, y + height / 2 + 4}, cell_text(share), share > 0.55 ? "on-dark" : "on-light",
                     Anchor::middle);
      }
    }
  }
  drawing.text({(left + right) / 2, bottom + below + 16}, "what the classifier said", "label", Anchor::middle);
  drawing.upright_text({13, (top + bottom) / 2}, "what it was", "label");
  return drawing;
}

}  // namespace bcr::report
