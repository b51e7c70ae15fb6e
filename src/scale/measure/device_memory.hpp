#ifndef BCR_SRC_SCALE_MEASURE_DEVICE_MEMORY_HPP
#define BCR_SRC_SCALE_MEASURE_DEVICE_MEMORY_HPP

#include <cstdint>

namespace bcr::scale {

/// Watches what Kokkos holds in the memory of the default execution space, as Kokkos Tools tell it: Views and scratch,
/// on any device; not the code, the context of the driver, or workspaces that a vendor's library allocates by itself.
/// One at a time; a tool that is loaded is told as before.
class DeviceMemory {
 public:
  DeviceMemory();
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// The most bytes held at a time since this was made, of what was allocated since then.
  std::uint64_t most() const;
};

}  // namespace bcr::scale

#endif
