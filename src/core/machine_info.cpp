#include "src/core/machine_info.hpp"

#include "src/core/instances.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

namespace bcr {
namespace {

std::string cpu_model() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(": ");
    // x86 calls it "model name", POWER "cpu", and ARM's kernels name the implementer only.
    const bool names_model = line.starts_with("model name") || line.starts_with("cpu\t");
    if (names_model && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown";
}

template <class Wanted>
std::vector<std::pair<std::string, std::string>> variables(const Wanted& wanted) {
  std::vector<std::pair<std::string, std::string>> found;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !wanted(text.substr(0, equals))) continue;
    found.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Overloads say how a device names itself; host spaces are the processor.
template <class Exec>
std::string device_name(const Exec&) {
  return cpu_model();
}
#ifdef KOKKOS_ENABLE_CUDA
std::string device_name(const Kokkos::Cuda& exec) {
  return exec.cuda_device_prop().name;
}
#endif
#ifdef KOKKOS_ENABLE_HIP
std::string device_name(const Kokkos::HIP& exec) {
  return exec.hip_device_prop().name;
}
#endif
#ifdef KOKKOS_ENABLE_SYCL
std::string device_name(const Kokkos::SYCL& exec) {
  return exec.sycl_queue().get_device().get_info<sycl::info::device::name>();
}
#endif

}  // namespace

MachineInfo machine_info() {
  MachineInfo info;
  std::array<char, 256> name{};
  info.hostname = ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
  info.cpu_model = cpu_model();
  info.hardware_threads = std::thread::hardware_concurrency();
  utsname system{};
  info.operating_system =
      ::uname(&system) == 0 ? fmt::format("{} {} {}", system.sysname, system.release, system.machine) : "unknown";
  return info;
}

std::vector<std::pair<std::string, std::string>> slurm_variables() {
  return variables([](const std::string_view name) {
    constexpr std::array wanted = {"SLURM_JOB_ID",        "SLURM_JOB_NAME",      "SLURM_JOB_NODELIST",
                                   "SLURM_JOB_PARTITION", "SLURM_ARRAY_JOB_ID",  "SLURM_ARRAY_TASK_ID",
                                   "SLURM_STEP_ID",       "SLURM_PROCID",        "SLURM_NTASKS",
                                   "SLURM_NNODES",        "SLURM_CPUS_PER_TASK", "SLURM_CLUSTER_NAME"};
    return std::find(wanted.begin(), wanted.end(), name) != wanted.end();
  });
}

std::vector<std::pair<std::string, std::string>> thread_variables() {
  return variables([](const std::string_view name) { return name.starts_with("OMP_") || name.starts_with("KOKKOS_"); });
}

KokkosInfo kokkos_info() {
  KokkosInfo info;
#define BCR_NAME(Exec) info.execution_spaces.push_back(Exec::name());
  BCR_FOR_EACH_EXEC(BCR_NAME)
#undef BCR_NAME
  info.default_execution_space = Kokkos::DefaultExecutionSpace::name();
  info.device = "unknown";
  if (!Kokkos::is_initialized() || Kokkos::is_finalized()) return info;

  const Kokkos::DefaultExecutionSpace exec;
  info.concurrency = exec.concurrency();
  info.device = device_name(exec);
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration, true);
  info.configuration = configuration.str();
  return info;
}

}  // namespace bcr
