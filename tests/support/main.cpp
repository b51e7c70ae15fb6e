#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cfenv>

// Every test binary traps invalid operations, so a NaN that is born silently fails its test.
int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
#ifdef __GLIBC__
  feenableexcept(FE_INVALID);
#endif
  return RUN_ALL_TESTS();
}
