#ifndef BCR_SRC_SCALE_P3_PORTABILITY_TABLE_HPP
#define BCR_SRC_SCALE_P3_PORTABILITY_TABLE_HPP

#include "src/scale/p3/p3_table.hpp"
#include "src/scale/statistics/portability.hpp"

namespace bcr::scale {

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
