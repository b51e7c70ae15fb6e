#ifndef BCR_SRC_SCALE_P3_PORTABILITY_HPP
#define BCR_SRC_SCALE_P3_PORTABILITY_HPP

#include "src/scale/p3/p3_table.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
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

  /// 0 where it does not run.
  double efficiency_on(std::string_view platform) const;
};

struct ProblemPortability {
  std::string problem;
  std::vector<std::string> machines;
  std::vector<ApplicationPortability> applications;
};

/// What a time is held against.
enum class Efficiency {
  application,  ///< the best time of any application for the problem on the machine
  architecture  ///< the time that the roofs of the platform allow: the larger of multiply-accumulates over the rate of
                ///< fma and bytes over the bandwidth; at most 1, since caches can save bytes and Winograd
                ///< multiplications
};
std::string_view efficiency_name(Efficiency kind);

/// On each machine, the efficiency of the best time of an application for the problem, whatever ranks and threads gave
/// it. The machines of every problem are all those of the table, so an application that was not run on one of them has
/// PP = 0. Architectural efficiencies need the counts of the problem and the roofs of the platform in the rows'
/// details; where they are not known there is no efficiency.
std::vector<ProblemPortability> portability_table(std::span<const P3Row> rows);
std::vector<ProblemPortability> portability_table(std::span<const P3Row> rows, std::span<const std::string> machines,
                                                  Efficiency kind);

/// Null if the table has no such problem or application.
const ApplicationPortability* find_application(std::span<const ProblemPortability> table, std::string_view problem,
                                               std::string_view application);

/// The machines of a table, in the order in which they come.
std::vector<std::string> machines_of(std::span<const P3Row> rows);

/// The row with the best time of an application for a problem on a machine; null if it was not run.
const P3Row* best_row(std::span<const P3Row> rows, std::string_view application, std::string_view problem,
                      std::string_view machine);

}  // namespace bcr::scale

#endif
