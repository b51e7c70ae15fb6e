#ifndef BCR_BENCH_SUPPORT_SECONDS_HPP
#define BCR_BENCH_SUPPORT_SECONDS_HPP

#include <Kokkos_Core.hpp>

namespace bcr::bench {

/// Seconds of one call, fenced on both sides.
template <class Exec, class Work>
double seconds(const Exec& exec, const Work& work) {
  exec.fence();
  const Kokkos::Timer timer;
  work();
  exec.fence();
  return timer.seconds();
}

}  // namespace bcr::bench

#endif
