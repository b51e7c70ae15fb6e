#include "src/comm/start.hpp"

#include "src/comm/mpi_communicator.hpp"
#include "src/comm/serial_communicator.hpp"
#include "src/core/error.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace bcr::comm {
namespace {

enum class Wish { launcher_decides, on, off };

Wish wish_of_user() {
  const char* const text = std::getenv("BCR_MPI");
  if (text == nullptr || *text == '\0') return Wish::launcher_decides;
  const std::string_view word(text);
  require<ConfigError>(word == "on" || word == "off", "BCR_MPI", "on or off", word);
  return word == "on" ? Wish::on : Wish::off;
}

int number(const char* const variable) {
  const char* const text = std::getenv(variable);
  int value = 0;
  if (text != nullptr) std::from_chars(text, text + std::strlen(text), value);
  return value;
}

}  // namespace

int ranks_of_launcher() {
  for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_WORLD_SIZE", "PALS_NRANKS"})
    if (number(variable) > 0) return number(variable);
  // srun sets these; a shell inside an allocation has SLURM_NTASKS alone.
  if (std::getenv("SLURM_STEP_NUM_TASKS") != nullptr && std::getenv("SLURM_LAUNCH_NODE_IPADDR") != nullptr)
    return number("SLURM_STEP_NUM_TASKS");
  return 0;
}

std::unique_ptr<Communicator> start_communicator() {
  const Wish wish = wish_of_user();
  const int ranks = ranks_of_launcher();
  if (wish == Wish::off || (wish == Wish::launcher_decides && ranks <= 1))
    return std::make_unique<SerialCommunicator>();
  if (has_mpi()) {
    std::unique_ptr<Communicator> communicator = start_mpi();
    if (communicator->size() < ranks)
      throw ConfigError("start", std::to_string(ranks) + " ranks, as the launcher has started",
                        std::to_string(communicator->size()) + " in the world of " + mpi_library() +
                            ": take the launcher that belongs to it (with Slurm: srun --mpi=pmix), or BCR_MPI=off for "
                            "processes that have nothing to do with each other");
    return communicator;
  }
  throw ConfigError("start", "a build with MPI (CMake: BCR_ENABLE_MPI=ON) for several ranks",
                    std::to_string(ranks) + " ranks and a build without");
}

std::string message_library() {
  return has_mpi() ? mpi_library() : "none";
}

}  // namespace bcr::comm
