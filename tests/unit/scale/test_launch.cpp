#include "src/scale/launch/launch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(PointCommand, OfOneRankNeedsNoLauncher) {
  const Command command = point_command("/opt/bcr-scale", {.mode = nn::Mode::fast, .batch = 6}, {1, 3}, {});

  EXPECT_THAT(command.text(), StartsWith("/opt/bcr-scale run "));
  EXPECT_THAT(command.text(), HasSubstr(" --mode fast "));
  EXPECT_THAT(command.text(), HasSubstr(" --batch 6 "));
  EXPECT_THAT(command.text(), HasSubstr(" --kokkos-num-threads=3"));
  EXPECT_TRUE(command.variables.empty());
}

TEST(PointCommand, OfSeveralIsStartedByMpirun) {
  const Command command =
      point_command("p", {}, {4, 2}, {.launcher = Launcher::mpirun, .arguments = {"--oversubscribe"}});

  EXPECT_THAT(command.text(), HasSubstr(" mpirun -n 4 --oversubscribe p run "));
  EXPECT_THAT(command.text(), StartsWith("OMPI_MCA_hwloc_base_binding_policy=none "));
}

TEST(PointCommand, TakesAnotherLauncherByName) {
  const Command command = point_command("p", {}, {2, 1}, {.launcher = Launcher::mpirun, .program = "mpiexec.mpich"});

  EXPECT_THAT(command.text(), HasSubstr(" mpiexec.mpich -n 2 p run "));
}

TEST(PointCommand, OfSeveralIsStartedBySrun) {
  const Command command =
      point_command("p", {}, {4, 2}, {.launcher = Launcher::srun, .arguments = {"--gpus-per-task=1"}});

  EXPECT_THAT(command.text(), StartsWith("srun --ntasks=4 --cpus-per-task=2 --gpus-per-task=1 p run "));
}

TEST(BatchScript, AsksForTheLargestPoint) {
  const std::vector<Resources> points{{1, 1}, {1, 8}, {4, 2}, {2, 2}};
  const std::string script = batch_script({.time = "00:10:00",
                                           .tasks_per_node = 2,
                                           .partition = "gpu",
                                           .account = "a1",
                                           .directives = {"--gpus-per-node=2"},
                                           .setup = {"module load mpi"}},
                                          allocation_for(points), {{"bcr-scale", "study", "--out", "two words"}, {}});

  EXPECT_THAT(script, StartsWith("#!/bin/bash\n"));
  for (const char* const line :
       {"#SBATCH --time=00:10:00\n", "#SBATCH --ntasks=4\n", "#SBATCH --cpus-per-task=2\n", "#SBATCH --exclusive\n",
        "#SBATCH --ntasks-per-node=2\n", "#SBATCH --partition=gpu\n", "#SBATCH --account=a1\n",
        "#SBATCH --gpus-per-node=2\n", "\nmodule load mpi\n", "\nexec bcr-scale study --out 'two words'\n"})
    EXPECT_THAT(script, HasSubstr(line));
}

TEST(BatchScript, SharesNodesWhereNoPointNeedsAWholeOne) {
  const std::vector<Resources> points{{1, 1}, {4, 2}, {4, 3}};
  const std::string script = batch_script({}, allocation_for(points), {{"x"}, {}});

  EXPECT_THAT(script, HasSubstr("#SBATCH --cpus-per-task=3\n"));
  EXPECT_THAT(script, Not(HasSubstr("--exclusive")));
  EXPECT_THAT(script, Not(HasSubstr("--partition")));
}

}  // namespace
}  // namespace bcr::scale
