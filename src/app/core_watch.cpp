#include "src/app/core_watch.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace bcr::app {
namespace {

constexpr std::chrono::milliseconds time_between_looks{500};
constexpr double shared = 0.1;  // of the time in the queue: others want the cores
constexpr double free_again = 0.02;
constexpr int busy_looks_worth_a_word = 4;
constexpr int calm_looks_enough = 10;

bool user_chose_waiting() {
  return std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr;
}

}  // namespace

double CoreTime::queued_share_since(const CoreTime& before) const {
  // A thread that has ended takes its times along.
  const double run = std::max(ran - before.ran, 0.0);
  const double waited = std::max(queued - before.queued, 0.0);
  return waited > 0 ? waited / (run + waited) : 0;
}

std::optional<CoreTime> core_time() {
  CoreTime total;
  bool found = false;
  std::error_code error;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream file(task.path() / "schedstat");
    double ran = 0, queued = 0;  // nanoseconds
    if (!(file >> ran >> queued)) continue;
    total.ran += 1e-9 * ran;
    total.queued += 1e-9 * queued;
    found = true;
  }
  return found ? std::optional(total) : std::nullopt;
}

#ifdef _OPENMP
SleepingTeam::SleepingTeam(const int threads) {
  const int count = std::max(2, omp_get_num_procs() - threads + 2);
  thread_ = std::thread([this, count] {
#pragma omp parallel num_threads(count)
    {
      std::unique_lock lock(mutex_);
      asleep_ = omp_get_num_threads();
      changed_.notify_all();
      changed_.wait(lock, [this] { return ended_; });
    }
  });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return asleep_ > 0; });
}
#else
SleepingTeam::SleepingTeam(int) {}
#endif

SleepingTeam::~SleepingTeam() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

CoreWatch::CoreWatch(Log log, const int threads)
    : log_(std::move(log)), threads_(threads), thread_([this] { watch(); }) {}

CoreWatch::~CoreWatch() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CoreWatch::watch() {
  std::optional<CoreTime> before = core_time();
  std::unique_lock lock(mutex_);
  while (before && !changed_.wait_for(lock, time_between_looks, [this] { return ended_; })) {
    const std::optional<CoreTime> now = core_time();
    if (now) see(now->queued_share_since(*before));
    before = now;
  }
}

void CoreWatch::see(const double queued_share) {
  calm_looks_ = queued_share < free_again ? calm_looks_ + 1 : 0;
  busy_looks_ = queued_share > shared ? busy_looks_ + 1 : 0;
  if (busy_looks_ == busy_looks_worth_a_word && !told_) {
    told_ = true;
    log_.warning(
        "app",
        "the machine is oversubscribed: for {:.0f} % of the time in which they could have run, our threads stood in "
        "the queue for a core. Rates and shares of peaks say as much about the other programs as about this one",
        100 * queued_share);
  }
  if (threads_ == 1 || user_chose_waiting()) return;
  if (queued_share > shared && !team_) {
    team_ = std::make_unique<SleepingTeam>(threads_);
    log_.debug("app", "threads that wait sleep");
  } else if (team_ && calm_looks_ >= calm_looks_enough) {
    team_.reset();
    log_.debug("app", "threads that wait spin again");
  }
}

}  // namespace bcr::app
