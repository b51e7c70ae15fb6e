#include "src/train/batches/open_data.hpp"
#include "tests/support/data_directory.hpp"

#include <gtest/gtest.h>

namespace bcr::train {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

TEST(DeviceBudgetOfARun, IsSpentOnceAndGivenBack) {
  const auto budget = std::make_shared<DeviceBudget>(1);

  DeviceRoom first = budget->take(800'000);
  EXPECT_TRUE(first);
  EXPECT_FALSE(budget->take(800'000));
  EXPECT_TRUE(budget->take((1 << 20) - 800'000)) << "and back at once";
  first.reset();
  EXPECT_TRUE(budget->take(1 << 20));
}

TEST(DeviceBudgetOfARun, IsSharedByTrainingAndTestSets) {
  const test::DataDirectory directory;
  DataOptions options = directory.options();
  options.device_budget_mib = 1;
  const OpenData data = open_data(options);
  const Context<Exec> context;
  const auto residence = [&] {
    return make_test_loader<Exec, float>(context, data.known_test, data, options, 4).residence();
  };

  DeviceRoom others = data.budget->take((1 << 20) - data.known_test.bytes() + 1);
  EXPECT_EQ(residence(), Residence::streamed);
  others.reset();
  EXPECT_EQ(residence(), Residence::device);
  EXPECT_EQ(residence(), Residence::device) << "a set that is gone has given its room back";
}

}  // namespace
}  // namespace bcr::train
