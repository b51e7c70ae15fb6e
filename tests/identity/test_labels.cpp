#include "src/identity/survey.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace {

std::set<std::string> seen_labels;  // Kokkos Tools callbacks can reach nothing but globals

void see(const char* const name, std::uint32_t, std::uint64_t*) { seen_labels.insert(name); }
void see_allocation(Kokkos_Profiling_SpaceHandle, const char* const name, const void*, std::uint64_t) {
  seen_labels.insert(name);
}

/// Listens while it lives.
struct LabelListener {
  LabelListener() {
    namespace Tools = Kokkos::Tools::Experimental;
    seen_labels.clear();
    Tools::set_begin_parallel_for_callback(see);
    Tools::set_begin_parallel_reduce_callback(see);
    Tools::set_begin_parallel_scan_callback(see);
    Tools::set_allocate_data_callback(see_allocation);
  }
  ~LabelListener() {
    namespace Tools = Kokkos::Tools::Experimental;
    Tools::set_begin_parallel_for_callback(nullptr);
    Tools::set_begin_parallel_reduce_callback(nullptr);
    Tools::set_begin_parallel_scan_callback(nullptr);
    Tools::set_allocate_data_callback(nullptr);
  }
};

/// Ours, or of Kokkos itself (scratch memory, copies, the filling of a View). A kernel or View that nobody named has the
/// name of a type or none.
bool is_well_named(const std::string_view label) { return label.starts_with("bcr::") || label.starts_with("Kokkos::"); }

TEST(Labels, OfEveryKernelAndAllocationCarryOurPrefix) {
  const LabelListener listener;

  bcr::identity::survey();

  EXPECT_GT(seen_labels.size(), 10u);
  for (const auto& label : seen_labels) EXPECT_TRUE(is_well_named(label)) << "label '" << label << "'";
}

TEST(Labels, WithoutOurPrefixAreNoticed) {
  const LabelListener listener;

  const Kokkos::View<double*, Kokkos::HostSpace> nameless("stray", 3);

  EXPECT_TRUE(seen_labels.contains("stray"));
  EXPECT_FALSE(is_well_named("stray"));
}

}  // namespace
