#ifndef BCR_SRC_APP_STOP_SIGNAL_HPP
#define BCR_SRC_APP_STOP_SIGNAL_HPP

#include <csignal>

namespace bcr::app {

/// While it lives, the first SIGTERM or SIGINT asks the running loop to finish its step and save; another one ends the
/// process at once, unless it follows within two seconds: launchers and job systems send the same wish twice, to a
/// process and to its group. One at a time: signal handlers are a property of the process.
class StopSignal {
 public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The signal that asked to stop, or 0.
  int received() const noexcept;
  bool requested() const noexcept { return received() != 0; }

 private:
  struct sigaction previous_term_ {};
  struct sigaction previous_int_ {};
};

}  // namespace bcr::app

#endif
