#include "src/comm/communicator.hpp"
#include "src/comm/start.hpp"
#include "src/core/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace bcr::comm {
namespace {

/// Sets a variable of the environment as long as it lives.
class Variable {
 public:
  Variable(const char* const name, const char* const value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(StartOfRanks, IsSerialWithoutALauncher) {
  EXPECT_EQ(ranks_of_launcher(), 0);
  EXPECT_EQ(start_communicator()->size(), 1);
}

TEST(StartOfRanks, AsksTheLauncher) {
  for (const char* const name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PALS_NRANKS"}) {
    const Variable set(name, "3");
    EXPECT_EQ(ranks_of_launcher(), 3) << name;
  }
  const Variable allocation("SLURM_STEP_NUM_TASKS", "5");
  EXPECT_EQ(ranks_of_launcher(), 0) << "a shell inside an allocation is no rank";
  const Variable launched("SLURM_LAUNCH_NODE_IPADDR", "10.0.0.1");
  EXPECT_EQ(ranks_of_launcher(), 5);
}

TEST(StartOfRanks, IsSerialForALauncherOfOne) {
  const Variable launched("PMI_SIZE", "1");
  EXPECT_NE(dynamic_cast<SerialCommunicator*>(start_communicator().get()), nullptr);
}

TEST(StartOfRanks, ObeysItsUser) {
  const Variable launched("PMI_SIZE", "3");
  const Variable off("BCR_MPI", "off");
  EXPECT_EQ(start_communicator()->size(), 1);
}

TEST(StartOfRanks, RefusesAWishItDoesNotKnow) {
  const Variable wish("BCR_MPI", "perhaps");
  EXPECT_THROW(start_communicator(), ConfigError);
}

TEST(StartOfRanks, RefusesSeveralRanksWithoutMpi) {
  if (has_mpi()) GTEST_SKIP() << "this build has MPI";
  const Variable launched("PMI_SIZE", "3");
  EXPECT_THROW(start_communicator(), ConfigError);
}

}  // namespace
}  // namespace bcr::comm
