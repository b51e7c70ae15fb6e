#include "src/app/stop_signal.hpp"

#include <unistd.h>

namespace bcr::app {
namespace {

volatile std::sig_atomic_t received_signal = 0;  // a handler can reach nothing but a global

void on_signal(const int signal) {
  if (received_signal != 0) _exit(128 + signal);
  received_signal = signal;
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
