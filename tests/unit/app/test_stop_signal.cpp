#include "src/app/session.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

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

TEST(StopSignal, TakesASecondSignalAtOnceForTheSameWish) {
  EXPECT_EXIT(
      {
        const bcr::app::StopSignal stop;
        std::raise(SIGTERM);
        std::raise(SIGINT);
        std::_Exit(stop.received() == SIGTERM ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST(StopSignalDeathTest, EndsTheProcessAtALaterSignal) {
  EXPECT_EXIT(
      {
        const bcr::app::StopSignal stop;
        std::raise(SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(2100));
        std::raise(SIGINT);
        std::_Exit(0);
      },
      ::testing::ExitedWithCode(128 + SIGINT), "");
}

}  // namespace
