#include "src/scale/p3/campaign.hpp"

#include "src/core/error.hpp"
#include "src/scale/p3/portability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace bcr::scale {
namespace {

/// A value that must be the same wherever its key occurs, and who said so first.
struct Claim {
  std::string value;
  std::string source;
};

void require_same(std::map<std::string, Claim>& claims, const std::string& key, const std::string& value,
                  const std::string& source, const std::string_view what) {
  const auto [claim, added] = claims.try_emplace(key, Claim{value, source});
  if (claim->second.value != value)
    throw IoError("merge " + source, fmt::format("{} {}, as in {}", what, claim->second.value, claim->second.source),
                  value);
}

void require_comparable(const std::span<const CampaignTable> tables) {
  std::map<std::string, Claim> programs, kinds;
  std::map<std::tuple<std::string, std::string, std::string>, std::string> cases;
  for (const auto& [source, rows] : tables) {
    require<IoError>(!rows.empty(), "merge " + source, "at least one measurement", "none");
    for (const P3Row& row : rows) {
      require<IoError>(!row.details.program.empty(), "merge " + source,
                       "a column 'program' that says which version measured " + row.application, "nothing in it");
      require_same(programs, row.application, row.details.program, source, row.application + " by");
      const std::string machine = machine_of(row.platform);
      require_same(kinds, machine, row.details.kind, source, machine + " to be a");
      const auto [found, added] = cases.try_emplace({row.application, row.problem, row.platform}, source);
      if (found->second != source)
        throw IoError("merge " + source,
                      "machines with names of their own (study.machine): " + found->second + " has it already",
                      fmt::format("{}, {}, {}", row.application, row.problem, row.platform));
    }
  }
}

bool is_measured(const std::span<const P3Row> rows, const std::string& problem, const std::string& machine) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const P3Row& row) { return row.problem == problem && machine_of(row.platform) == machine; });
}

std::string problems_text(const std::span<const CampaignTable> tables) {
  std::string text;
  for (const auto& [source, rows] : tables)
    text += fmt::format("{}{}: '{}'{}", text.empty() ? "" : "; ", source, rows.front().problem,
                        rows.size() > 1 ? ", ..." : "");
  return text;
}

/// Gives every row what other rows of the same problem know of its work, and what those of the same platform know of
/// its roofs: the best that was seen.
void complete_details(std::vector<P3Row>& rows) {
  std::map<std::string, P3Details> problems, platforms;
  for (const auto& [date, fom, application, problem, platform, details] : rows) {
    P3Details& work = problems[problem];
    if (details.multiply_accumulates > 0) {
      work.multiply_accumulates = details.multiply_accumulates;
      work.bytes = details.bytes;
    }
    P3Details& roof = platforms[platform];
    roof.fma_per_second = std::max(roof.fma_per_second, details.fma_per_second);
    roof.bytes_per_second = std::max(roof.bytes_per_second, details.bytes_per_second);
  }
  for (P3Row& row : rows) {
    P3Details& own = row.details;
    if (!(own.multiply_accumulates > 0)) {
      own.multiply_accumulates = problems[row.problem].multiply_accumulates;
      own.bytes = problems[row.problem].bytes;
    }
    if (!(own.fma_per_second > 0)) {
      own.fma_per_second = platforms[row.platform].fma_per_second;
      own.bytes_per_second = platforms[row.platform].bytes_per_second;
    }
  }
}

std::vector<PlatformSet> platform_sets(const std::span<const P3Row> rows) {
  PlatformSet all{"all platforms", machines_of(rows)}, gpus{"GPUs", {}}, cpus{"CPUs", {}};
  for (const std::string& machine : all.machines) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const P3Row& one) { return machine_of(one.platform) == machine; });
    if (row->details.kind == "gpu") gpus.machines.push_back(machine);
    if (row->details.kind == "cpu") cpus.machines.push_back(machine);
  }
  if (gpus.machines.empty() || cpus.machines.empty()) return {all};
  return {all, gpus, cpus};
}

}  // namespace

Campaign join_campaigns(const std::span<const CampaignTable> tables) {
  require_comparable(tables);
  std::vector<P3Row> rows;
  for (const CampaignTable& table : tables) rows.insert(rows.end(), table.rows.begin(), table.rows.end());
  const std::vector<std::string> machines = machines_of(rows);
  std::set<std::string> lacking;
  Campaign campaign;
  for (const P3Row& row : rows) {
    const bool everywhere = std::all_of(machines.begin(), machines.end(), [&](const std::string& machine) {
      return is_measured(rows, row.problem, machine);
    });
    if (everywhere) {
      campaign.rows.push_back(row);
    } else if (lacking.insert(row.problem).second) {
      campaign.left_out.push_back(row.problem);
    }
  }
  require<IoError>(!campaign.rows.empty(), "merge", "a problem that was measured on every machine",
                   "none (" + problems_text(tables) + ")");
  complete_details(campaign.rows);
  campaign.sets = platform_sets(campaign.rows);
  return campaign;
}

}  // namespace bcr::scale
