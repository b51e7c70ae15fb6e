#ifndef BCR_TESTS_SUPPORT_DEEP_COPY_COUNTER_HPP
#define BCR_TESTS_SUPPORT_DEEP_COPY_COUNTER_HPP

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ProfileSection.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace bcr::test {

/// Notes every deep copy while it lives, also between pieces of planned memory, which have no label. Filling a View with
/// a number is no copy. One at a time, like AllocationCounter.
class DeepCopyCounter {
 public:
  DeepCopyCounter() : previous_(Kokkos::Tools::Experimental::get_callbacks().begin_deep_copy) {
    copies_.clear();
    Kokkos::Tools::Experimental::set_begin_deep_copy_callback(&DeepCopyCounter::note);
  }
  ~DeepCopyCounter() { Kokkos::Tools::Experimental::set_begin_deep_copy_callback(previous_); }
  DeepCopyCounter(const DeepCopyCounter&) = delete;
  DeepCopyCounter& operator=(const DeepCopyCounter&) = delete;

  /// "label of the source -> label of the target", in the order of time.
  const std::vector<std::string>& copies() const { return copies_; }

 private:
  static void note(Kokkos_Profiling_SpaceHandle, const char* const to, const void*, Kokkos_Profiling_SpaceHandle,
                   const char* const from, const void*, std::uint64_t) {
    const std::string source(from);
    if (source != "(none)") copies_.push_back(source + " -> " + to);
  }

  static inline std::vector<std::string> copies_;
  Kokkos_Profiling_beginDeepCopyFunction previous_;
};

}  // namespace bcr::test

#endif
