#include "src/comm/start.hpp"
#include "tests/ranks/ranks.hpp"

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <memory>

namespace {
std::unique_ptr<bcr::comm::Communicator> communicator;
}

bcr::comm::Communicator& bcr::test::ranks() {
  return *communicator;
}

// Every rank runs all tests, in the same order; the job fails if one of them does.
int main(int argc, char** argv) {
  communicator = bcr::comm::start_communicator();
  communicator->set_time_limit(std::chrono::seconds(60));
  int result = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    ::testing::InitGoogleTest(&argc, argv);
    if (!communicator->is_root()) {
      auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
      delete listeners.Release(listeners.default_result_printer());
    }
    result = RUN_ALL_TESTS();
    for (const int other : communicator->gather_values(result)) result = result != 0 ? result : other;
  }
  communicator.reset();
  return result;
}
