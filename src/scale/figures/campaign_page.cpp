#include "src/scale/figures/campaign_page.hpp"

#include "src/report/plot/frame.hpp"
#include "src/report/plot/plots.hpp"
#include "src/scale/figures/number_table.hpp"
#include "src/scale/figures/study_page.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::scale {
namespace {

using report::escape;
using report::number_text;

std::string measured_html(const Campaign& campaign) {
  NumberTable table({"platform, application", "program", "space", "library", "ms a step, best", "device MiB",
                     "fma GFLOP/s", "triad GB/s"});
  for (const std::string& machine : campaign.sets.front().machines) {
    std::vector<std::string> seen;
    for (const P3Row& row : campaign.rows) {
      if (machine_of(row.platform) != machine || std::count(seen.begin(), seen.end(), row.application) > 0) continue;
      seen.push_back(row.application);
      const P3Row& best = *best_row(campaign.rows, row.application, row.problem, machine);
      const P3Details& details = best.details;
      const auto or_dash = [](const double value, const double scale) {
        return value > 0 ? number_text(value * scale) : std::string("–");
      };
      table.row(
          machine + ", " + row.application,
          {details.program, details.space, details.library.empty() ? "–" : details.library,
           fmt::format("{} ({})", number_text(1e3 * best.fom), best.problem), or_dash(details.device_bytes, 0x1p-20),
           or_dash(details.fma_per_second, 2e-9), or_dash(details.bytes_per_second, 1e-9)});
    }
  }
  return table.html();
}

std::string efficiencies_html(const SetPortability& set) {
  std::vector<std::string> heads{"application, problem", "PP", "PP of the roof"};
  for (const std::string& machine : set.set.machines) heads.push_back(machine + " (of the roof)");
  NumberTable table(heads);
  for (const ProblemPortability& problem : set.application) {
    for (const ApplicationPortability& one : problem.applications) {
      const ApplicationPortability* const roof = find_application(set.architecture, problem.problem, one.application);
      std::vector<std::string> cells{fmt::format("{:.3f}", one.portability),
                                     roof == nullptr ? "–" : fmt::format("{:.3f}", roof->portability)};
      for (const std::string& machine : set.set.machines) {
        const double own = one.efficiency_on(machine);
        const double of_roof = roof == nullptr ? 0 : roof->efficiency_on(machine);
        cells.push_back(
            fmt::format("{} ({})", own > 0 ? percent_text(own) : "–", of_roof > 0 ? percent_text(of_roof) : "–"));
      }
      table.row(one.application + ", " + problem.problem, cells);
    }
  }
  return table.html();
}

report::Figure navigation_figure(const ProblemNavigation& problem, const std::string& set) {
  report::ScatterPlot plot{.title = "Navigation chart, " + problem.problem, .x = {}, .y = {}, .clouds = {}};
  std::string caption =
      "Up: the same performance everywhere; right: the same lines of code everywhere. Lines that each platform needs: ";
  for (std::size_t i = 0; i < problem.applications.size(); ++i) {
    const Navigation& one = problem.applications[i];
    plot.clouds.push_back({.name = one.application,
                           .symbol = report::Symbol::diamond,
                           .colour = i,
                           .points = {{one.convergence, one.portability}},
                           .names = {}});
    caption += fmt::format("{}{}", i == 0 ? "" : "; ", one.application);
    for (const auto& [machine, lines] : one.lines) caption += fmt::format(", {} on {}", lines, machine);
  }
  plot.x = {"code convergence", 0, 1.05, report::Scale::linear};
  plot.y = {"performance portability", 0, 1.05, report::Scale::linear};
  return {"navigation-" + report::file_name(set + " " + problem.problem), caption + ".", report::draw(plot)};
}

void add_figures(report::Page& page, const SetPortability& set) {
  for (auto figures : {cascade_figures(set.application, Efficiency::application),
                       cascade_figures(set.architecture, Efficiency::architecture)}) {
    for (report::Figure& figure : figures) figure.file.append("-").append(report::file_name(set.set.name));
    if (!figures.empty()) page.add_figures(figures, "");
  }
  report::Figures charts;
  for (const ProblemNavigation& problem : set.navigation) charts.push_back(navigation_figure(problem, set.set.name));
  if (!charts.empty()) page.add_figures(charts, "");
}

/// Nothing if the lines of code are not known on a machine it runs on, or it does not run on one of the set.
std::optional<Navigation> navigate(const Campaign& campaign, const std::string& problem,
                                   const ApplicationPortability& application, const PlatformSet& set,
                                   const std::map<std::string, CodeLines>& coverage) {
  Navigation navigation{application.application, application.portability, 0, {}};
  std::vector<const CodeLines*> lines;
  for (const std::string& machine : set.machines) {
    const P3Row* const row = best_row(campaign.rows, application.application, problem, machine);
    const auto found = row == nullptr ? coverage.end() : coverage.find(row->details.coverage_key);
    if (found == coverage.end()) return std::nullopt;
    lines.push_back(&found->second);
    navigation.lines[machine] = found->second.size();
  }
  navigation.convergence = 1 - code_divergence(lines);
  return navigation;
}

std::vector<ProblemNavigation> navigate_all(const Campaign& campaign, const SetPortability& portability,
                                            const std::map<std::string, CodeLines>& coverage) {
  std::vector<ProblemNavigation> all;
  for (const ProblemPortability& problem : portability.application) {
    ProblemNavigation entry{problem.problem, {}};
    for (const ApplicationPortability& application : problem.applications)
      if (auto one = navigate(campaign, problem.problem, application, portability.set, coverage))
        entry.applications.push_back(std::move(*one));
    if (!entry.applications.empty()) all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace

std::vector<SetPortability> portability_by_set(const Campaign& campaign,
                                               const std::map<std::string, CodeLines>& coverage) {
  std::vector<SetPortability> all;
  for (const PlatformSet& set : campaign.sets) {
    SetPortability& entry =
        all.emplace_back(SetPortability{set,
                                        portability_table(campaign.rows, set.machines, Efficiency::application),
                                        portability_table(campaign.rows, set.machines, Efficiency::architecture),
                                        {}});
    entry.navigation = navigate_all(campaign, entry, coverage);
  }
  return all;
}

report::Page campaign_page(const std::string& title, const Campaign& campaign,
                           const std::span<const SetPortability> portability) {
  report::Page page(title + " · bcr portability campaign", "bcr-scale");
  page.add(
      fmt::format("<header><p class=\"over\">bcr portability campaign</p><h1>{}</h1><p class=\"line\">{} platforms, "
                  "{} measurements</p></header>\n",
                  escape(title), campaign.sets.front().machines.size(), campaign.rows.size()));
  for (const SetPortability& set : portability) {
    page.add_heading(3, "Performance portability over " + set.set.name);
    page.add_note(
        "PP is the harmonic mean of the efficiencies, and 0 where one platform is missing. An efficiency is the best "
        "time "
        "of any application over the own; of the roof: the time that fma rate and triad bandwidth of the same threads "
        "allow for the work as the algorithm is written.");
    page.add(efficiencies_html(set));
    add_figures(page, set);
  }
  page.add_heading(3, "What was measured");
  page.add(measured_html(campaign));
  if (!campaign.left_out.empty()) {
    std::string note = "Left out, because a platform lacks them: ";
    for (const std::string& problem : campaign.left_out)
      note += (&problem == campaign.left_out.data() ? "" : "; ") + problem;
    page.add_note(note + ".");
  }
  return page;
}

}  // namespace bcr::scale
