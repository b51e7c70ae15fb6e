#include "src/comm/start.hpp"

#include "src/core/error.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string_view>

namespace bcr::comm {
namespace {

constexpr bool with_mpi = BCR_WITH_MPI;
constexpr bool with_nccl = BCR_WITH_NCCL;

enum class Switch { automatic, on, off };

Switch switch_from_environment(const char* const variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return Switch::automatic;
  const std::string_view word(text);
  require<ConfigError>(word == "on" || word == "off", variable, "on or off", word);
  return word == "on" ? Switch::on : Switch::off;
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
  const Switch mpi = switch_from_environment("BCR_MPI");
  const int ranks = ranks_of_launcher();
  if (mpi == Switch::off || (mpi == Switch::automatic && ranks <= 1)) return std::make_unique<SerialCommunicator>();
  if constexpr (with_mpi) {
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

bool has_mpi() {
  return with_mpi;
}

std::string message_library() {
  if constexpr (with_mpi) return mpi_library();
  return "none";
}

std::unique_ptr<Communicator> make_device_communicator(Communicator& host) {
  if constexpr (with_nccl)
    if (host.size() > 1 && switch_from_environment("BCR_NCCL") != Switch::off) return start_nccl(host);
  return nullptr;
}

}  // namespace bcr::comm
