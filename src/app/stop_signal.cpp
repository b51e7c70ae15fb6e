#include "src/app/stop_signal.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

namespace bcr::app {
namespace {

volatile std::sig_atomic_t received_signal = 0;  // a handler can reach nothing but a global

std::atomic<std::int64_t> time_of_first{0};  // in milliseconds
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a handler must not wait for a lock");

constexpr std::int64_t same_wish = 2000;  // milliseconds

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
}

void on_signal(const int signal) {
  if (received_signal == 0) {
    time_of_first = now();
    received_signal = signal;
  } else if (now() - time_of_first > same_wish) {
    _exit(128 + signal);
  }
}

}  // namespace

StopSignal::StopSignal() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;  // a write in progress goes on: the loop decides where to stop
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, &previous_term_);
  sigaction(SIGINT, &action, &previous_int_);
}

StopSignal::~StopSignal() {
  sigaction(SIGTERM, &previous_term_, nullptr);
  sigaction(SIGINT, &previous_int_, nullptr);
}

int StopSignal::received() const noexcept { return received_signal; }

}  // namespace bcr::app
