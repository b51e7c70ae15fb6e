#include "src/app/session.hpp"

#include "src/comm/device_communicator.hpp"
#include "src/comm/start.hpp"

#include <cstdlib>
#include <utility>

namespace bcr::app {
namespace {

/// Kokkos takes what it knows out of (argc, argv); it must be handed the program's name first.
std::unique_ptr<Kokkos::ScopeGuard> start_kokkos(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"bcr"};
  // Kokkos warns at every start that OMP_PROC_BIND is unset. Binding is the user's choice (jobs share our machines):
  // quiet by default, and whoever passes --kokkos-disable-warnings=no or sets the variable sees everything.
  if (std::getenv("KOKKOS_DISABLE_WARNINGS") == nullptr) words.emplace_back("--kokkos-disable-warnings");
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  int count = static_cast<int>(words.size());
  return std::make_unique<Kokkos::ScopeGuard>(count, pointers.data());
}

}  // namespace

Session::Session(const std::vector<std::string>& kokkos_arguments, Log log, const OnSignal on_signal)
    : communicator_(comm::start_communicator()),
      log_(std::move(log)),
      kokkos_(start_kokkos(kokkos_arguments)),
      device_communicator_(comm::make_device_communicator(*communicator_)) {
  if (!communicator_->is_root()) log_.set_level(LogLevel::error);
  if (on_signal == OnSignal::finish_step) stop_.emplace();
  const Kokkos::DefaultExecutionSpace exec;
  if (communicator_->size() > 1) log_.info("app", "{}", communicator().description());
  log_.debug("app", "Kokkos {} runs on {} with concurrency {}", KOKKOS_VERSION, exec.name(), exec.concurrency());
}

}  // namespace bcr::app
