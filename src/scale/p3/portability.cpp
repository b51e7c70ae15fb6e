#include "src/scale/p3/portability.hpp"

#include <algorithm>
#include <map>

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

namespace {

/// The distinct values of a column, in the order in which they come.
template <class Column>
std::vector<std::string> distinct(const std::span<const P3Row> rows, const Column& column) {
  std::vector<std::string> values;
  for (const P3Row& row : rows) {
    const std::string value = column(row);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

using BestTimes = std::map<std::string, double>;  ///< by machine

template <class Filter>
BestTimes best_times(const std::span<const P3Row> rows, const Filter& wanted) {
  BestTimes best;
  for (const P3Row& row : rows) {
    if (!wanted(row)) continue;
    const auto [entry, added] = best.try_emplace(machine_of(row.platform), row.fom);
    if (!added) entry->second = std::min(entry->second, row.fom);
  }
  return best;
}

ApplicationPortability of_application(const std::string& application, const std::vector<std::string>& machines,
                                      const BestTimes& own, const BestTimes& of_any) {
  std::vector<PlatformEfficiency> efficiencies;
  for (const std::string& machine : machines) {
    const auto found = own.find(machine);
    efficiencies.push_back(
        {machine, found == own.end() ? std::nullopt : std::optional(of_any.at(machine) / found->second)});
  }
  return {application, cascade(efficiencies), performance_portability(efficiencies)};
}

}  // namespace

std::vector<ProblemPortability> portability_table(const std::span<const P3Row> rows) {
  const auto machines = distinct(rows, [](const P3Row& row) { return machine_of(row.platform); });
  std::vector<ProblemPortability> table;
  for (const std::string& problem : distinct(rows, [](const P3Row& row) { return row.problem; })) {
    const BestTimes of_any = best_times(rows, [&](const P3Row& row) { return row.problem == problem; });
    ProblemPortability& entry = table.emplace_back(ProblemPortability{problem, machines, {}});
    for (const std::string& application : distinct(rows, [](const P3Row& row) { return row.application; })) {
      const BestTimes own =
          best_times(rows, [&](const P3Row& row) { return row.problem == problem && row.application == application; });
      if (!own.empty()) entry.applications.push_back(of_application(application, machines, own, of_any));
    }
  }
  return table;
}

}  // namespace bcr::scale
