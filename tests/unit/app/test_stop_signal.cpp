#include "src/app/stop_signal.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

namespace {

TEST(StopSignal, RemembersTheFirstSignal) {
  const bcr::app::StopSignal stop;
  EXPECT_FALSE(stop.requested());

  std::raise(SIGTERM);

  EXPECT_EQ(stop.received(), SIGTERM);
}

TEST(StopSignal, StartsAfresh) {
  { const bcr::app::StopSignal stop; std::raise(SIGINT); }

  EXPECT_FALSE(bcr::app::StopSignal().requested());
}

TEST(StopSignalDeathTest, EndsTheProcessAtTheSecondSignal) {
  EXPECT_EXIT(
      {
        const bcr::app::StopSignal stop;
        std::raise(SIGTERM);
        std::raise(SIGINT);
        std::exit(0);
      },
      ::testing::ExitedWithCode(128 + SIGINT), "");
}

}  // namespace
