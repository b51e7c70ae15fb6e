#ifndef BCR_SRC_APP_SESSION_HPP
#define BCR_SRC_APP_SESSION_HPP

#include "src/app/stop_signal.hpp"
#include "src/core/log.hpp"

#include <Kokkos_Core.hpp>

#include <memory>
#include <string>
#include <vector>

namespace bcr::app {

/// What a running program has: Kokkos, a log, and the wish of its user to stop. Brought up in this order and taken
/// down in reverse; everything a program makes must die before its Session does.
class Session {
 public:
  /// kokkos_arguments: the `--kokkos-*` part of the command line.
  Session(const std::vector<std::string>& kokkos_arguments, Log log);

  const Log& log() const noexcept { return log_; }
  const StopSignal& stop() const noexcept { return stop_; }

 private:
  Log log_;
  StopSignal stop_;
  std::unique_ptr<Kokkos::ScopeGuard> kokkos_;
};

}  // namespace bcr::app

#endif
