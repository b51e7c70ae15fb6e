#ifndef BCR_TESTS_SYCL_GROUP_MEMORY_HPP
#define BCR_TESTS_SYCL_GROUP_MEMORY_HPP

// Included before Kokkos in what the run-time compiler gets. Kokkos' reduction over a team takes its local memory from
// sycl::ext::oneapi::group_local_memory_for_overwrite. For a kernel that does, libsycl 2026.2 notes the position of a
// hidden argument; it has no entry for a kernel compiled from source, and crashes
// (ProgramManager::cacheKernelImplicitLocalArg). Memory with a static address needs no argument.
#include <sycl/sycl.hpp>

namespace sycl::ext::oneapi {
template <class T, class Group>
inline T* group_memory_without_argument(const Group&) {
  static experimental::work_group_static<T> memory;
  return &memory;
}
}  // namespace sycl::ext::oneapi
#define group_local_memory_for_overwrite group_memory_without_argument

#endif
