#ifndef BCR_SRC_SCALE_P3_PORTABILITY_JSON_HPP
#define BCR_SRC_SCALE_P3_PORTABILITY_JSON_HPP

#include "src/scale/p3/portability.hpp"

#include <nlohmann/json.hpp>

namespace bcr::scale {

/// [{"problem", "applications": [{"application", "portability", "cascade": [{"platform", "efficiency",
/// "portability"}]}]}]
inline nlohmann::ordered_json portability_json(const std::span<const ProblemPortability> table) {
  using Json = nlohmann::ordered_json;
  Json problems = Json::array();
  for (const ProblemPortability& problem : table) {
    Json applications = Json::array();
    for (const ApplicationPortability& application : problem.applications) {
      Json steps = Json::array();
      for (const auto& [platform, efficiency, portability] : application.steps)
        steps.push_back({{"platform", platform}, {"efficiency", efficiency}, {"portability", portability}});
      applications.push_back(
          {{"application", application.application}, {"portability", application.portability}, {"cascade", steps}});
    }
    problems.push_back({{"problem", problem.problem}, {"applications", applications}});
  }
  return problems;
}

}  // namespace bcr::scale

#endif
