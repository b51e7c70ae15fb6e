#include "src/scale/p3/portability.hpp"

#include <algorithm>

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

double ApplicationPortability::efficiency_on(const std::string_view platform) const {
  const auto found =
      std::find_if(steps.begin(), steps.end(), [&](const CascadeStep& step) { return step.platform == platform; });
  return found == steps.end() ? 0 : found->efficiency;
}

std::string_view efficiency_name(const Efficiency kind) {
  return kind == Efficiency::application ? "application efficiency" : "architectural efficiency";
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

/// The best of the rows that are wanted; null if none is.
template <class Filter>
const P3Row* best_of(const std::span<const P3Row> rows, const Filter& wanted) {
  const P3Row* best = nullptr;
  for (const P3Row& row : rows)
    if (wanted(row) && (best == nullptr || row.fom < best->fom)) best = &row;
  return best;
}

/// The shortest time that the roofs allow; nothing if they or the counts are not known.
std::optional<double> seconds_at_the_roof(const P3Details& details) {
  if (!(details.multiply_accumulates > 0) || !(details.fma_per_second > 0)) return std::nullopt;
  const double computing = details.multiply_accumulates / details.fma_per_second;
  const double moving = details.bytes_per_second > 0 ? details.bytes / details.bytes_per_second : 0;
  return std::max(computing, moving);
}

std::optional<double> efficiency(const std::span<const P3Row> rows, const P3Row* const own, const Efficiency kind) {
  if (own == nullptr) return std::nullopt;
  if (kind == Efficiency::architecture) {
    const std::optional<double> least = seconds_at_the_roof(own->details);
    return least ? std::optional(std::min(1.0, *least / own->fom)) : std::nullopt;
  }
  const std::string machine = machine_of(own->platform);
  const P3Row* const best = best_of(
      rows, [&](const P3Row& row) { return row.problem == own->problem && machine_of(row.platform) == machine; });
  return best->fom / own->fom;
}

}  // namespace

const ApplicationPortability* find_application(const std::span<const ProblemPortability> table,
                                               const std::string_view problem, const std::string_view application) {
  for (const ProblemPortability& entry : table) {
    if (entry.problem != problem) continue;
    for (const ApplicationPortability& one : entry.applications)
      if (one.application == application) return &one;
  }
  return nullptr;
}

std::vector<std::string> machines_of(const std::span<const P3Row> rows) {
  return distinct(rows, [](const P3Row& row) { return machine_of(row.platform); });
}

const P3Row* best_row(const std::span<const P3Row> rows, const std::string_view application,
                      const std::string_view problem, const std::string_view machine) {
  return best_of(rows, [&](const P3Row& row) {
    return row.application == application && row.problem == problem && machine_of(row.platform) == machine;
  });
}

std::vector<ProblemPortability> portability_table(const std::span<const P3Row> rows) {
  return portability_table(rows, machines_of(rows), Efficiency::application);
}

std::vector<ProblemPortability> portability_table(const std::span<const P3Row> rows,
                                                  const std::span<const std::string> machines, const Efficiency kind) {
  std::vector<ProblemPortability> table;
  for (const std::string& problem : distinct(rows, [](const P3Row& row) { return row.problem; })) {
    ProblemPortability& entry = table.emplace_back(ProblemPortability{problem, {machines.begin(), machines.end()}, {}});
    for (const std::string& application : distinct(rows, [](const P3Row& row) { return row.application; })) {
      std::vector<PlatformEfficiency> efficiencies;
      bool known = false;
      for (const std::string& machine : machines) {
        const P3Row* const own = best_row(rows, application, problem, machine);
        efficiencies.push_back({machine, efficiency(rows, own, kind)});
        known |= efficiencies.back().efficiency.has_value();
      }
      if (known)
        entry.applications.push_back({application, cascade(efficiencies), performance_portability(efficiencies)});
    }
  }
  return table;
}

}  // namespace bcr::scale
