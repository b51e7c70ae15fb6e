#include "src/scale/p3/speed_comparison.hpp"

#include "src/scale/point/sample_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace bcr::scale {
namespace {

constexpr std::array<std::string_view, 5> verdict_names{"same", "faster", "SLOWER", "missing", "new"};

bool is_case(const P3Row& row, const SpeedComparison& which) {
  return row.application == which.application && row.problem == which.problem && row.platform == which.platform;
}

std::optional<double> median_of(const std::span<const P3Row> rows, const SpeedComparison& which) {
  std::vector<double> values;
  for (const P3Row& row : rows)
    if (is_case(row, which)) values.push_back(row.fom);
  return values.empty() ? std::nullopt : std::optional(summarise(values).median);
}

Verdict judge(const SpeedComparison& comparison, const double flag) {
  if (!comparison.after) return Verdict::only_before;
  if (!comparison.before) return Verdict::only_after;
  if (*comparison.after > *comparison.before * (1 + flag)) return Verdict::slower;
  return *comparison.before > *comparison.after * (1 + flag) ? Verdict::faster : Verdict::same;
}

std::string seconds_text(const std::optional<double>& seconds) {
  return seconds ? fmt::format("{:.6g}", *seconds) : "-";
}

std::ptrdiff_t count(const std::span<const SpeedComparison> cases, const Verdict verdict) {
  return std::count_if(cases.begin(), cases.end(), [&](const SpeedComparison& one) { return one.verdict == verdict; });
}

}  // namespace

std::vector<SpeedComparison> compare_tables(const std::span<const P3Row> before, const std::span<const P3Row> after,
                                            const double flag) {
  std::vector<SpeedComparison> cases;
  for (const auto& rows : {before, after}) {
    for (const P3Row& row : rows) {
      if (std::any_of(cases.begin(), cases.end(), [&](const SpeedComparison& one) { return is_case(row, one); }))
        continue;
      cases.push_back({row.application, row.problem, row.platform, std::nullopt, std::nullopt, Verdict::same});
    }
  }
  for (SpeedComparison& one : cases) {
    one.before = median_of(before, one);
    one.after = median_of(after, one);
    one.verdict = judge(one, flag);
  }
  return cases;
}

std::string comparison_text(const std::span<const SpeedComparison> cases) {
  std::string text = fmt::format("{:>11} {:>11} {:>8}  {:<8} {}\n", "before s", "after s", "speed-up", "", "case");
  for (const SpeedComparison& one : cases) {
    const bool both = one.before && one.after;
    text +=
        fmt::format("{:>11} {:>11} {:>8}  {:<8} {}, {}, {}\n", seconds_text(one.before), seconds_text(one.after),
                    both ? fmt::format("{:.3f}", one.speed_up()) : "-",
                    verdict_names[static_cast<std::size_t>(one.verdict)], one.application, one.problem, one.platform);
  }
  return text + fmt::format("{} slower, {} faster, {} the same, {} missing, {} new\n", count(cases, Verdict::slower),
                            count(cases, Verdict::faster), count(cases, Verdict::same),
                            count(cases, Verdict::only_before), count(cases, Verdict::only_after));
}

bool any_slower(const std::span<const SpeedComparison> cases) {
  return count(cases, Verdict::slower) > 0;
}

bool any_common(const std::span<const SpeedComparison> cases) {
  return std::any_of(cases.begin(), cases.end(), [](const SpeedComparison& one) { return one.before && one.after; });
}

}  // namespace bcr::scale
