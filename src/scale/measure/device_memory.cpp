#include "src/scale/measure/device_memory.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <string_view>

namespace bcr::scale {
namespace {

/// Kokkos Tools takes plain functions, so what they count is here.
struct Counted {
  std::int64_t held = 0;
  std::int64_t most = 0;
  Kokkos_Profiling_allocateDataFunction next_allocate = nullptr;
  Kokkos_Profiling_deallocateDataFunction next_deallocate = nullptr;
};
Counted counted;

bool is_of_the_device(const Kokkos_Profiling_SpaceHandle& space) {
  return std::string_view(space.name) == Kokkos::DefaultExecutionSpace::memory_space::name();
}

void allocated(const Kokkos_Profiling_SpaceHandle space, const char* const label, const void* const data,
               const std::uint64_t size) {
  if (is_of_the_device(space)) {
    counted.held += static_cast<std::int64_t>(size);
    counted.most = std::max(counted.most, counted.held);
  }
  if (counted.next_allocate != nullptr) counted.next_allocate(space, label, data, size);
}

void deallocated(const Kokkos_Profiling_SpaceHandle space, const char* const label, const void* const data,
                 const std::uint64_t size) {
  if (is_of_the_device(space)) counted.held -= static_cast<std::int64_t>(size);
  if (counted.next_deallocate != nullptr) counted.next_deallocate(space, label, data, size);
}

}  // namespace

DeviceMemory::DeviceMemory() {
  namespace Tools = Kokkos::Tools::Experimental;
  const auto callbacks = Tools::get_callbacks();
  counted = {0, 0, callbacks.allocate_data, callbacks.deallocate_data};
  Tools::set_allocate_data_callback(&allocated);
  Tools::set_deallocate_data_callback(&deallocated);
}

DeviceMemory::~DeviceMemory() {
  namespace Tools = Kokkos::Tools::Experimental;
  Tools::set_allocate_data_callback(counted.next_allocate);
  Tools::set_deallocate_data_callback(counted.next_deallocate);
}

std::uint64_t DeviceMemory::most() const {
  return static_cast<std::uint64_t>(counted.most);
}

}  // namespace bcr::scale
