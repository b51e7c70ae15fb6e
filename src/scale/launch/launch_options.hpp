#ifndef BCR_SRC_SCALE_LAUNCH_LAUNCH_OPTIONS_HPP
#define BCR_SRC_SCALE_LAUNCH_LAUNCH_OPTIONS_HPP

#include "src/core/config.hpp"

#include <array>
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

}  // namespace bcr::scale

#endif
