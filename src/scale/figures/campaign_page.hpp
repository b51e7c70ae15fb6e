#ifndef BCR_SRC_SCALE_FIGURES_CAMPAIGN_PAGE_HPP
#define BCR_SRC_SCALE_FIGURES_CAMPAIGN_PAGE_HPP

#include "src/report/plot/page.hpp"
#include "src/scale/p3/campaign.hpp"
#include "src/scale/p3/code_lines.hpp"
#include "src/scale/p3/portability.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bcr::scale {

/// How portable the code of an application is beside its performance, on one problem.
struct Navigation {
  std::string application;
  double portability = 0;                    ///< PP of its application efficiencies
  double convergence = 0;                    ///< 1 - code divergence over the same machines
  std::map<std::string, std::size_t> lines;  ///< that it needs on each machine
};

struct ProblemNavigation {
  std::string problem;
  std::vector<Navigation> applications;  ///< those whose lines of code are known on every machine they run on
};

/// Portability of the machines of one set.
struct SetPortability {
  PlatformSet set;
  std::vector<ProblemPortability> application;
  std::vector<ProblemPortability> architecture;
  std::vector<ProblemNavigation> navigation;  ///< empty where no lines of code are known
};

/// For every platform set of the campaign.
std::vector<SetPortability> portability_by_set(const Campaign& campaign,
                                               const std::map<std::string, CodeLines>& coverage);

/// The page of a campaign: what was measured, and for every platform set efficiencies, PP, cascades and the navigation
/// chart.
report::Page campaign_page(const std::string& title, const Campaign& campaign,
                           std::span<const SetPortability> portability);

/// Efficiencies as the P3 Analysis Library takes them:
/// problem,platform,application,fom,app eff,arch eff - one row for each application and machine, of its best time.
std::string efficiency_csv(const Campaign& campaign);

std::string campaign_json(const std::string& title, const Campaign& campaign,
                          std::span<const SetPortability> portability);

/// For people: PP of each application for each problem and platform set.
std::string campaign_text(std::span<const SetPortability> portability);

}  // namespace bcr::scale

#endif
