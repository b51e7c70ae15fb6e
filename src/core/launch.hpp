#ifndef BCR_SRC_CORE_LAUNCH_HPP
#define BCR_SRC_CORE_LAUNCH_HPP

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace bcr {

/// True for execution spaces that run on the host's cores (Serial, OpenMP, Threads). Not whether the host can reach the
/// memory: on an APU or a superchip it reaches that of the GPU too.
template <class Exec>
inline constexpr bool is_host_exec = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// One team per block of work. A host team is one thread that runs TeamVectorRange as a plain, vectorisable loop;
/// a device team is `device_threads` threads. What a block is must never depend on this number (strict mode).
template <class Exec>
Kokkos::TeamPolicy<Exec> block_policy(const Exec& exec, const int blocks, const int device_threads = 128) {
  return Kokkos::TeamPolicy<Exec>(exec, blocks, is_host_exec<Exec> ? 1 : device_threads);
}

}  // namespace bcr

#endif
