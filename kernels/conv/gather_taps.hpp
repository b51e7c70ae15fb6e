#ifndef BCR_KERNELS_CONV_GATHER_TAPS_HPP
#define BCR_KERNELS_CONV_GATHER_TAPS_HPP

#include "kernels/conv/gather_device.hpp"
#include "kernels/conv/gather_host.hpp"
#include "src/core/launch.hpp"

#include <string>

namespace bcr::kernels::impl {

/// Runs the tiling that fits the execution space. Both give the same bits.
template <class Exec, class T>
void gather_taps(const Exec& exec, const std::string& label, const Gather<Exec, T>& gather) {
  if constexpr (is_host_exec<Exec>) {
    gather_on_host(exec, label, gather);
  } else {
    gather_on_device(exec, label, gather);
  }
}

}  // namespace bcr::kernels::impl

#endif
