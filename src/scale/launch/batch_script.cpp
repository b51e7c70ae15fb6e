#include "src/scale/launch/batch_script.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::scale {

Allocation allocation_for(const std::span<const Resources> points) {
  Allocation allocation;
  int most_threads = 1;
  for (const Resources& point : points) {
    most_threads = std::max(most_threads, point.threads);
    Resources& largest = allocation.largest;
    if (point.ranks > largest.ranks) largest = point;
    if (point.ranks == largest.ranks) largest.threads = std::max(largest.threads, point.threads);
  }
  if (most_threads > allocation.largest.threads) allocation.nodes = Allocation::Nodes::whole;
  return allocation;
}

std::string batch_script(const SlurmOptions& slurm, const Allocation& allocation, const Command& study) {
  std::string script = "#!/bin/bash\n";
  const auto directive = [&script](const std::string& text) { script += "#SBATCH " + text + "\n"; };
  directive("--job-name=bcr-scale");
  directive("--time=" + slurm.time);
  directive(fmt::format("--ntasks={}", allocation.largest.ranks));
  directive(fmt::format("--cpus-per-task={}", allocation.largest.threads));
  if (allocation.nodes == Allocation::Nodes::whole) directive("--exclusive");
  if (slurm.tasks_per_node > 0) directive(fmt::format("--ntasks-per-node={}", slurm.tasks_per_node));
  if (!slurm.partition.empty()) directive("--partition=" + slurm.partition);
  if (!slurm.account.empty()) directive("--account=" + slurm.account);
  for (const std::string& more : slurm.directives) directive(more);
  script += "# Submit it again after a time-out: points that were measured are kept.\nset -eu\n";
  for (const std::string& line : slurm.setup) script += line + "\n";
  return script + "exec " + study.text() + "\n";
}

}  // namespace bcr::scale
