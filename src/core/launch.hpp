#ifndef BCR_SRC_CORE_LAUNCH_HPP
#define BCR_SRC_CORE_LAUNCH_HPP

#include <Kokkos_Core.hpp>

namespace bcr {

/// True for execution spaces that run on the host's cores (Serial, OpenMP, Threads).
template <class Exec>
inline constexpr bool is_host_exec = Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;

/// One team per block of work. A host team is one thread that runs TeamVectorRange as a plain, vectorisable loop;
/// a device team is `device_threads` threads. What a block is must never depend on this number (strict mode).
template <class Exec>
Kokkos::TeamPolicy<Exec> block_policy(const Exec& exec, const int blocks, const int device_threads = 128) {
  return Kokkos::TeamPolicy<Exec>(exec, blocks, is_host_exec<Exec> ? 1 : device_threads);
}

}  // namespace bcr

#endif
