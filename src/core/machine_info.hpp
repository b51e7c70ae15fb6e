#ifndef BCR_SRC_CORE_MACHINE_INFO_HPP
#define BCR_SRC_CORE_MACHINE_INFO_HPP

#include <string>
#include <utility>
#include <vector>

namespace bcr {

/// Where a program runs, as far as it can be found out without privileges; "unknown" otherwise.
struct MachineInfo {
  std::string hostname;
  std::string cpu_model;
  unsigned hardware_threads = 0;
  std::string operating_system;  ///< "Linux 6.1.0 x86_64"
};

MachineInfo machine_info();

/// The environment variables that name a batch job or steer threads: SLURM_* ids, OMP_*, KOKKOS_*; sorted by name.
std::vector<std::pair<std::string, std::string>> slurm_variables();
std::vector<std::pair<std::string, std::string>> thread_variables();

/// What Kokkos was built with and runs on. The device is that of the default execution space.
struct KokkosInfo {
  std::vector<std::string> execution_spaces;
  std::string default_execution_space;
  int concurrency = 0;        ///< 0 if Kokkos is not initialized.
  std::string device;         ///< The name of the GPU, or of the CPU.
  std::string configuration;  ///< Kokkos::print_configuration, verbose.
};

KokkosInfo kokkos_info();

}  // namespace bcr

#endif
