#include "src/scale/statistics/portability.hpp"

#include <algorithm>

namespace bcr::scale {

double performance_portability(const std::span<const PlatformEfficiency> platforms) {
  double inverse = 0;
  for (const PlatformEfficiency& platform : platforms) {
    if (!platform.efficiency || !(*platform.efficiency > 0)) return 0;
    inverse += 1 / *platform.efficiency;
  }
  return platforms.empty() ? 0 : static_cast<double>(platforms.size()) / inverse;
}

std::vector<CascadeStep> cascade(const std::span<const PlatformEfficiency> platforms) {
  std::vector<PlatformEfficiency> sorted(platforms.begin(), platforms.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const PlatformEfficiency& a, const PlatformEfficiency& b) {
    return a.efficiency.value_or(0) > b.efficiency.value_or(0);
  });
  std::vector<CascadeStep> steps;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    steps.push_back({sorted[i].platform, sorted[i].efficiency.value_or(0),
                     performance_portability(std::span(sorted).first(i + 1))});
  }
  return steps;
}

}  // namespace bcr::scale
