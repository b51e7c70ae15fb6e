#ifndef BCR_SRC_SCALE_STATISTICS_PORTABILITY_HPP
#define BCR_SRC_SCALE_STATISTICS_PORTABILITY_HPP

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bcr::scale {

/// The efficiency of one application on one platform, in [0, 1]; nothing where it does not run.
struct PlatformEfficiency {
  std::string platform;
  std::optional<double> efficiency;
};

/// The metric of Pennycook, Sewall and Lee: PP = |H| / sum_{i in H} 1 / e_i over the platforms H, and 0 if the
/// application does not run on one of them. 0 for no platforms.
double performance_portability(std::span<const PlatformEfficiency> platforms);

/// One step of a cascade: platforms from the best efficiency to the worst, those where the application does not run
/// last; `portability` is the metric over this platform and those before it.
struct CascadeStep {
  std::string platform;
  double efficiency = 0;
  double portability = 0;
};
std::vector<CascadeStep> cascade(std::span<const PlatformEfficiency> platforms);

}  // namespace bcr::scale

#endif
