#ifndef BCR_TESTS_SYCL_DEVICE_ENTRY_HPP
#define BCR_TESTS_SYCL_DEVICE_ENTRY_HPP

// Included by force in front of every text that the run-time compiler gets (DeviceCode writes them).
#include "tests/sycl/group_memory.hpp"
#include "tests/sycl/kokkos_names.hpp"
// The names must come first.
#include <Kokkos_Core.hpp>

#include <type_traits>

namespace bcr::sycl_check {

/// What Kokkos' own ParallelFor does on the device with one team; local_bytes is the reduction and level 0 scratch.
template <class Functor, std::size_t local_bytes>
inline void run_team(const void* const functor, char* const level_1, const std::size_t reduction_bytes,
                     const std::size_t scratch_0, const std::size_t scratch_1) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<2>();
  static sycl::ext::oneapi::experimental::work_group_static<double[(local_bytes + 7) / 8]> local;
  const Kokkos::Impl::SYCLTeamMember team(sycl::local_ptr<void>(static_cast<void*>(&local)), reduction_bytes, scratch_0,
                                          level_1 + item.get_group(1) * scratch_1, scratch_1, item,
                                          item.get_group_linear_id(), item.get_group_range(1));
  (*static_cast<const Functor*>(functor))(team);
}

/// A functor that cannot be called with an index alone is the one with which Kokkos constructs the elements of a View;
/// the same one destroys them, but no View of ours has elements that Kokkos would have to destroy.
template <class Functor>
inline void run_range(const void* const functor, const std::size_t begin, const std::size_t end) {
  const auto item = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  const std::size_t i = begin + item.get_global_id(0);
  if (i >= end) return;
  const Functor& call = *static_cast<const Functor*>(functor);
  if constexpr (std::is_invocable_v<const Functor&, std::size_t>)
    call(i);
  else
    call(typename Functor::ConstructTag(), i);
}

}  // namespace bcr::sycl_check

#endif
