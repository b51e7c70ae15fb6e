#include "src/app/core_watch.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace bcr::app {
namespace {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Processor time of a team in which all wait for one thread that sleeps for a while.
double cost_of_waiting() {
  const double before = processor_seconds();
  for (int i = 0; i < 20; ++i) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  return processor_seconds() - before;
}

TEST(CoreTime, SharesTheTimeBetweenRunningAndStandingInTheQueue) {
  EXPECT_DOUBLE_EQ((CoreTime{4, 2}.queued_share_since({1, 1})), 0.25);
  EXPECT_EQ((CoreTime{4, 1}.queued_share_since({1, 1})), 0);
  EXPECT_EQ((CoreTime{1, 1}.queued_share_since({1, 1})), 0);
}

TEST(CoreTime, TakesEndedThreadsForNoTime) {
  EXPECT_EQ((CoreTime{1, 1}.queued_share_since({5, 3})), 0);
}

TEST(CoreTime, GrowsByWhatTheProcessRuns) {
  const auto before = core_time();
  if (!before) GTEST_SKIP() << "no /proc/self/task/*/schedstat";
  const double start = processor_seconds();
  while (processor_seconds() - start < 0.05) {
  }

  const auto after = core_time();

  ASSERT_TRUE(after);
  EXPECT_NEAR(after->ran - before->ran, processor_seconds() - start, 0.03);
}

TEST(SleepingTeam, LetsThreadsThatWaitSleep) {
#ifndef _OPENMP
  GTEST_SKIP() << "no OpenMP in this build";
#endif
  cost_of_waiting();
  const double spinning = cost_of_waiting();
  if (spinning < 0.02) GTEST_SKIP() << "threads do not spin here (OMP_WAIT_POLICY, GOMP_SPINCOUNT, another runtime)";

  const SleepingTeam team(2);

  EXPECT_LT(cost_of_waiting(), spinning / 4);
}

TEST(CoreWatch, EndsWithoutWaitingForItsNextLook) {
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) const CoreWatch watch(Log(LogLevel::off), 2);

  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

}  // namespace
}  // namespace bcr::app
