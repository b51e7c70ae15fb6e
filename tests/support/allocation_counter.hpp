#ifndef BCR_TESTS_SUPPORT_ALLOCATION_COUNTER_HPP
#define BCR_TESTS_SUPPORT_ALLOCATION_COUNTER_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>

#include <cstdint>

namespace bcr::test {

/// Counts every allocation Kokkos makes in any memory space while it lives: Views, scratch that grows, hidden copies.
/// One at a time; it takes the Kokkos Tools callback over and gives the old one back.
class AllocationCounter {
 public:
  AllocationCounter() : previous_(Kokkos::Tools::Experimental::get_callbacks().allocate_data) {
    count_ = 0;
    Kokkos::Tools::Experimental::set_allocate_data_callback(&AllocationCounter::note);
  }
  ~AllocationCounter() { Kokkos::Tools::Experimental::set_allocate_data_callback(previous_); }
  AllocationCounter(const AllocationCounter&) = delete;
  AllocationCounter& operator=(const AllocationCounter&) = delete;

  int count() const { return count_; }

 private:
  static void note(Kokkos_Profiling_SpaceHandle, const char*, const void*, std::uint64_t) { ++count_; }

  static inline int count_ = 0;
  Kokkos_Profiling_allocateDataFunction previous_;
};

}  // namespace bcr::test

#endif
