#ifndef BCR_SRC_APP_SESSION_HPP
#define BCR_SRC_APP_SESSION_HPP

#include "src/app/core_watch.hpp"
#include "src/comm/communicator.hpp"
#include "src/core/log.hpp"

#include <Kokkos_Core.hpp>

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace bcr::app {

/// While it lives, the first SIGTERM or SIGINT asks the running loop to finish its step and save; another one ends the
/// process at once, unless it follows within two seconds: launchers and job systems send the same request twice, to
/// a process and to its group. One at a time: signal handlers are a property of the process.
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

/// What SIGTERM and SIGINT do to a program: end it at once, as programs without a state worth saving want it, or ask
/// its loop to finish its step.
enum class OnSignal { end, finish_step };

/// What a running program has: its ranks, a log, a request to stop, Kokkos, and a watch on its cores. Brought up in this order and
/// taken down in reverse; everything a program makes must die before its Session does, and the ranks after it. Ranks
/// other than 0 say nothing but errors.
class Session {
 public:
  /// kokkos_arguments: the `--kokkos-*` part of the command line. A ConfigError if a number among them is none.
  Session(comm::Communicator& ranks, const std::vector<std::string>& kokkos_arguments, Log log, OnSignal on_signal);

  const Log& log() const noexcept { return log_; }
  comm::Communicator& communicator() noexcept { return device_communicator_ ? *device_communicator_ : communicator_; }
  bool stop_requested() const noexcept { return stop_.has_value() && stop_->requested(); }

 private:
  comm::Communicator& communicator_;
  Log log_;
  std::optional<StopSignal> stop_;
  std::unique_ptr<Kokkos::ScopeGuard> kokkos_;
  std::unique_ptr<comm::Communicator> device_communicator_;  ///< over the other one, if devices talk directly
  std::optional<CoreWatch> watch_;
};

}  // namespace bcr::app

#endif
