#ifndef BCR_SRC_SCALE_LAUNCH_LAUNCH_HPP
#define BCR_SRC_SCALE_LAUNCH_LAUNCH_HPP

#include "src/core/config.hpp"
#include "src/core/process.hpp"
#include "src/scale/point/point.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bcr::scale {

/// Who starts several ranks.
enum class Launcher { mpirun, srun };

constexpr auto enum_names(Launcher) {
  using namespace std::string_view_literals;
  return std::array{std::pair{"mpirun"sv, Launcher::mpirun}, std::pair{"srun"sv, Launcher::srun}};
}

/// The section [launch].
struct LaunchOptions {
  Launcher launcher = Launcher::mpirun;
  std::string program = {};
  std::vector<std::string> arguments = {};
  int time_limit_s = 3600;
};

template <class V>
void describe(V& v, LaunchOptions& o) {
  v("launcher", o.launcher, "who starts several ranks; mpirun of Open MPI, MPICH or relatives");
  v("program", o.program, "its name or path; empty: mpirun or srun");
  v("arguments", o.arguments, "more words for the launcher, such as --oversubscribe or --gpus-per-task=1");
  v("time_limit_s", o.time_limit_s, "seconds after which a point is given up", must_be::at_least(1));
}

/// The section [slurm]: what the script asks for that --sbatch writes.
struct SlurmOptions {
  std::string time = "01:00:00";
  int tasks_per_node = 0;
  std::string partition;
  std::string account;
  std::vector<std::string> directives;
  std::vector<std::string> setup;
};

template <class V>
void describe(V& v, SlurmOptions& o) {
  v("time", o.time, "time limit of the job", must_be::not_empty());
  v("tasks_per_node", o.tasks_per_node, "ranks on a node; 0: Slurm decides", must_be::not_negative());
  v("partition", o.partition, "partition; empty: the default one");
  v("account", o.account, "account; empty: the default one");
  v("directives", o.directives, "more of them, such as --gpus-per-node=4");
  v("setup", o.setup, "lines of the script before the study, such as module load ...");
}

/// `bcr-scale run` for one point, started by the launcher where there is more than one rank. `program` is bcr-scale.
/// Threads are not bound to cores by mpirun: Open MPI would put all threads of a rank on one.
Command point_command(const std::string& program, const PointOptions& options, const Resources& resources,
                      const LaunchOptions& launch);

/// What a study needs at most.
struct Allocation {
  Resources largest;                                         ///< the point with the most ranks
  enum class Nodes { shared, whole } nodes = Nodes::shared;  ///< whole: points of fewer ranks have more threads each
};

Allocation allocation_for(std::span<const Resources> points);

/// What a script says besides its options.
struct BatchJob {
  std::string name = "bcr-scale";
  int array = 0;  ///< tasks 0 ... array - 1, each an allocation of its own; 0: no array
  std::string note = "Submit it again after a time-out: points that were measured are kept.";
};

/// A script for sbatch: an allocation that is large enough, in which `command` runs. A job that was cut
/// short is submitted again and goes on where it stopped.
std::string batch_script(const SlurmOptions& slurm, const Allocation& allocation, const Command& command,
                         const BatchJob& job = {});

}  // namespace bcr::scale

#endif
