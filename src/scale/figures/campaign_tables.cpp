#include "src/core/csv.hpp"
#include "src/core/manifest.hpp"
#include "src/scale/figures/campaign_page.hpp"
#include "src/scale/p3/portability_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace bcr::scale {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::span<const ProblemNavigation> charts) {
  Json problems = Json::array();
  for (const ProblemNavigation& chart : charts) {
    Json applications = Json::array();
    for (const Navigation& one : chart.applications)
      applications.push_back({{"application", one.application},
                              {"portability", one.portability},
                              {"convergence", one.convergence},
                              {"lines", one.lines}});
    problems.push_back({{"problem", chart.problem}, {"applications", applications}});
  }
  return problems;
}

}  // namespace

std::string efficiency_csv(const Campaign& campaign) {
  const std::vector<std::string>& machines = campaign.sets.front().machines;
  const auto application = portability_table(campaign.rows, machines, Efficiency::application);
  const auto architecture = portability_table(campaign.rows, machines, Efficiency::architecture);
  std::string text = "problem,platform,application,fom,app eff,arch eff,coverage_key\n";
  for (const ProblemPortability& problem : application) {
    for (const ApplicationPortability& one : problem.applications) {
      for (const std::string& machine : machines) {
        const P3Row* const row = best_row(campaign.rows, one.application, problem.problem, machine);
        if (row == nullptr) continue;
        const ApplicationPortability* const roofs = find_application(architecture, problem.problem, one.application);
        const double roof = roofs == nullptr ? 0 : roofs->efficiency_on(machine);
        text += fmt::format("{},{},{},{},{},{},{}\n", csv_field(problem.problem), csv_field(machine),
                            csv_field(one.application), row->fom, one.efficiency_on(machine),
                            roof > 0 ? fmt::format("{}", roof) : "", csv_field(row->details.coverage_key));
      }
    }
  }
  return text;
}

std::string campaign_json(const std::string& title, const Campaign& campaign,
                          const std::span<const SetPortability> portability) {
  Json root{{"format", "bcr scale campaign"}, {"title", title}, {"date", utc_now()}};
  root["left_out"] = campaign.left_out;
  root["sets"] = Json::array();
  for (const SetPortability& set : portability)
    root["sets"].push_back({{"name", set.set.name},
                            {"platforms", set.set.machines},
                            {"application", portability_json(set.application)},
                            {"architecture", portability_json(set.architecture)},
                            {"navigation", to_json(set.navigation)}});
  return root.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string campaign_text(const std::span<const SetPortability> portability) {
  std::string text;
  for (const SetPortability& set : portability) {
    text +=
        fmt::format("{} ({})\n{:>8} {:>8}  case\n", set.set.name, fmt::join(set.set.machines, ", "), "PP", "of roof");
    for (const ProblemPortability& problem : set.application) {
      for (const ApplicationPortability& one : problem.applications) {
        const ApplicationPortability* const roof = find_application(set.architecture, problem.problem, one.application);
        text += fmt::format("{:>8.3f} {:>8}  {}, {}\n", one.portability,
                            roof == nullptr ? "-" : fmt::format("{:.3f}", roof->portability), one.application,
                            problem.problem);
      }
    }
  }
  return text;
}

}  // namespace bcr::scale
