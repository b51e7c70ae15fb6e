#ifndef BCR_SRC_REPORT_PLOT_HEAT_MAP_HPP
#define BCR_SRC_REPORT_PLOT_HEAT_MAP_HPP

#include "src/report/plot/drawing.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace bcr::report {

/// A table of counts as coloured cells; each row is coloured by its shares. Row i is what was true, column j what was
/// said. Beyond `most_labels` classes there are no names and no numbers, only colour and tips.
struct HeatMap {
  static constexpr std::size_t most_labels = 13;

  std::string title;
  std::vector<std::string> names;
  std::vector<std::vector<std::uint64_t>> counts;  ///< square, one row per name
};

Drawing draw(const HeatMap& map);

}  // namespace bcr::report

#endif
