#include "src/scale/launch/launch.hpp"

#include "src/core/config/value.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::scale {
namespace {

std::vector<std::string> run_words(const std::string& program, const PointOptions& options, const int threads) {
  std::vector<std::string> words{program, "run", "--log", "warning"};
  for (const OptionSection& section : list_options(options)) {
    for (const OptionLine& line : section.lines) {
      const auto* const text = std::get_if<std::string>(&line.value->data);
      words.push_back("--" + line.key);
      words.push_back(text != nullptr ? *text : to_toml_text(*line.value));
    }
  }
  words.push_back(fmt::format("--kokkos-num-threads={}", threads));
  return words;
}

std::vector<std::string> launcher_words(const Resources& resources, const LaunchOptions& launch) {
  const bool slurm = launch.launcher == Launcher::srun;
  std::vector<std::string> words{!launch.program.empty() ? launch.program : slurm ? "srun" : "mpirun"};
  if (slurm) {
    words.push_back(fmt::format("--ntasks={}", resources.ranks));
    words.push_back(fmt::format("--cpus-per-task={}", resources.threads));
  } else {
    words.insert(words.end(), {"-n", std::to_string(resources.ranks)});
  }
  words.insert(words.end(), launch.arguments.begin(), launch.arguments.end());
  return words;
}

}  // namespace

Command point_command(const std::string& program, const PointOptions& options, const Resources& resources,
                      const LaunchOptions& launch) {
  Command command{run_words(program, options, resources.threads), {}};
  if (resources.ranks == 1) return command;
  const std::vector<std::string> words = launcher_words(resources, launch);
  command.words.insert(command.words.begin(), words.begin(), words.end());
  if (launch.launcher == Launcher::mpirun) {
    // Open MPI 4, and 5; other launchers do not look at these.
    command.variables = {"OMPI_MCA_hwloc_base_binding_policy=none", "PRTE_MCA_hwloc_default_binding_policy=none"};
  }
  return command;
}

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

std::string batch_script(const SlurmOptions& slurm, const Allocation& allocation, const Command& command,
                         const BatchJob& job) {
  std::string script = "#!/bin/bash\n";
  const auto directive = [&script](const std::string& text) { script += "#SBATCH " + text + "\n"; };
  directive("--job-name=" + job.name);
  if (job.array > 0) directive(fmt::format("--array=0-{}", job.array - 1));
  directive("--time=" + slurm.time);
  directive(fmt::format("--ntasks={}", allocation.largest.ranks));
  directive(fmt::format("--cpus-per-task={}", allocation.largest.threads));
  if (allocation.nodes == Allocation::Nodes::whole) directive("--exclusive");
  if (slurm.tasks_per_node > 0) directive(fmt::format("--ntasks-per-node={}", slurm.tasks_per_node));
  if (!slurm.partition.empty()) directive("--partition=" + slurm.partition);
  if (!slurm.account.empty()) directive("--account=" + slurm.account);
  for (const std::string& more : slurm.directives) directive(more);
  script += "# " + job.note + "\nset -eu\n";
  for (const std::string& line : slurm.setup) script += line + "\n";
  return script + "exec " + command.text() + "\n";
}

}  // namespace bcr::scale
