#ifndef BCR_SRC_SCALE_P3_PORTABILITY_HPP
#define BCR_SRC_SCALE_P3_PORTABILITY_HPP

#include "src/scale/p3/p3_table.hpp"

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

/// One application on one problem, over all machines of a table.
struct ApplicationPortability {
  std::string application;
  std::vector<CascadeStep> steps;
  double portability = 0;
};

struct ProblemPortability {
  std::string problem;
  std::vector<std::string> machines;
  std::vector<ApplicationPortability> applications;
};

/// Application efficiencies: on each machine, the best time of any application for the problem over the best time of
/// this one, whatever ranks and threads gave it. The machines of every problem are all those of the table, so an
/// application that was not run on one of them has PP = 0.
std::vector<ProblemPortability> portability_table(std::span<const P3Row> rows);

}  // namespace bcr::scale

#endif
