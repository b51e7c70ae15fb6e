#include "kernels/roof/peak_rate.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Peak = bcr::kernels::PeakRate<Exec, float, bcr::kernels::PeakOperation::fma>;
using Loop = bcr::kernels::impl::HostPeakLoop<Exec, float, bcr::kernels::PeakOperation::fma>;

TEST(PeakRate, IsNotBelowWhatItsThreadsReachWhenTheyAreLetRun) {
  std::atomic<bool> done = false;
  std::thread neighbour([&done] {
    while (!done.load()) {
    }
  });
  const Exec exec;
  Peak peak(exec);
  for (int i = 0; i < 200; ++i) peak.sample();
  done = true;
  neighbour.join();

  Loop loop{decltype(Loop::sink)("sink", 1), decltype(Loop::seconds)("seconds", 1)};
  for (int i = 0; i < 200; ++i) loop(0);

  const double alone = Loop::terms / loop.seconds(0);
  // Less than all of it: two threads of one core share it, and clocks fall when all cores run.
  EXPECT_GT(peak.best(), 0.4 * alone * exec.concurrency());
}

}  // namespace
