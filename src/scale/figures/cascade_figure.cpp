#include "src/scale/figures/study_page.hpp"

#include "src/report/plot/page.hpp"
#include "src/report/plot/plots.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::scale {
namespace {

bool is_worth_a_figure(const ProblemPortability& problem) {
  return problem.machines.size() > 1 && problem.applications.size() > 1;
}

std::string order_text(const ApplicationPortability& application) {
  std::string text = application.application + ":";
  for (const CascadeStep& step : application.steps)
    text += (&step == application.steps.data() ? " " : ", ") + step.platform;
  return text;
}

report::Figure figure_of(const ProblemPortability& problem, const Efficiency kind) {
  const bool by_application = kind == Efficiency::application;
  report::LinePlot plot{
      .title = "Cascade, " + problem.problem, .x = {}, .y = {}, .series = {}, .guides = {}, .reference = {}};
  std::string caption = fmt::format(
      "Solid: efficiency against {}, from the best platform to the worst; dots: PP over the platforms so far. ",
      by_application ? "the best application on the platform" : "the roofs of the platform");
  for (std::size_t i = 0; i < problem.applications.size(); ++i) {
    const ApplicationPortability& application = problem.applications[i];
    report::Series efficiency{application.application, {}, i, report::Stroke::strong, {}};
    report::Series portability{fmt::format("PP {:.2f}", application.portability), {}, i, report::Stroke::dots, {}};
    for (std::size_t k = 0; k < application.steps.size(); ++k) {
      efficiency.points.push_back({double(k + 1), application.steps[k].efficiency});
      portability.points.push_back({double(k + 1), application.steps[k].portability});
    }
    plot.series.push_back(std::move(efficiency));
    plot.series.push_back(std::move(portability));
    caption += order_text(application) + ". ";
  }
  plot.x = {"platforms, best first", 0.8, double(problem.machines.size()) + 0.2, report::Scale::linear};
  plot.y = {std::string(efficiency_name(kind)), 0, 1.05, report::Scale::linear};
  return {(by_application ? "cascade-" : "cascade-roof-") + report::file_name(problem.problem), caption,
          report::draw(plot)};
}

}  // namespace

report::Figures cascade_figures(const std::span<const ProblemPortability> problems, const Efficiency kind) {
  report::Figures figures;
  for (const ProblemPortability& problem : problems)
    if (is_worth_a_figure(problem)) figures.push_back(figure_of(problem, kind));
  return figures;
}

}  // namespace bcr::scale
