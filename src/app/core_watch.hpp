#ifndef BCR_SRC_APP_CORE_WATCH_HPP
#define BCR_SRC_APP_CORE_WATCH_HPP

#include "src/core/log.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace bcr::app {

/// What the threads of this process have had of the cores so far, in seconds.
struct CoreTime {
  double ran = 0;     ///< on a core
  double queued = 0;  ///< ready to run, while no core was free for them

  /// Of the time since `before` in which threads could have run, the share in which they stood in the queue.
  double queued_share_since(const CoreTime& before) const;
};

/// As Linux counts it (/proc/self/task/*/schedstat); nothing where that is not there.
std::optional<CoreTime> core_time();

/// While it lives, threads of the GNU OpenMP runtime that wait for each other do not spin but sleep.
///
/// By default they spin for milliseconds, which is right on cores of one's own: to wake a thread takes as long as many
/// a kernel. On cores that are shared, the one that spins uses up the time of the one it waits for, and two threads may
/// be twenty times slower than one. The runtime reads its settings when it is loaded, and never again, with one
/// exception: it spins a hundred times in place of 300,000 while it has more threads than cores (GOMP_SPINCOUNT in its
/// manual). So this is a team of threads that sleep, as many as it takes. Without OpenMP it does nothing: threads of
/// Kokkos::Threads yield and sleep by themselves.
class SleepingTeam {
 public:
  /// `threads`: of the team that computes.
  explicit SleepingTeam(int threads);
  ~SleepingTeam();
  SleepingTeam(const SleepingTeam&) = delete;
  SleepingTeam& operator=(const SleepingTeam&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int asleep_ = 0;
  bool ended_ = false;
  std::thread thread_;
};

/// While it lives, looks twice a second whether other programs want the same cores, and lets threads that wait sleep
/// until the cores are free again. If that lasts for two seconds it says so in the log, once. If the user has chosen
/// how threads wait (OMP_WAIT_POLICY, GOMP_SPINCOUNT), it only speaks.
class CoreWatch {
 public:
  /// `threads` of this process that compute side by side; for one there is no waiting to choose.
  CoreWatch(Log log, int threads);
  ~CoreWatch();
  CoreWatch(const CoreWatch&) = delete;
  CoreWatch& operator=(const CoreWatch&) = delete;

 private:
  void watch();
  void see(double queued_share);

  Log log_;
  int threads_;
  bool told_ = false;
  int busy_looks_ = 0;  ///< in a row
  int calm_looks_ = 0;
  std::unique_ptr<SleepingTeam> team_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace bcr::app

#endif
