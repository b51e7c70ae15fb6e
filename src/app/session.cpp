#include "src/app/session.hpp"

#include "src/comm/device_communicator.hpp"
#include "src/core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace bcr::app {
namespace {

/// Kokkos aborts the process for a number that is none, from the command line or the environment.
void require_number(const std::string& name, const std::string& value, const int smallest) {
  int number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size() && number >= smallest) return;
  throw ConfigError(name, "=N, an integer of at least " + std::to_string(smallest), "'" + value + "'");
}

void require_kokkos_numbers(const std::vector<std::string>& arguments) {
  struct Number {
    const char* option;
    const char* variable;
    int smallest;
  };
  for (const auto& [option, variable, smallest] :
       {Number{"--kokkos-num-threads", "KOKKOS_NUM_THREADS", 1}, Number{"--kokkos-device-id", "KOKKOS_DEVICE_ID", 0}}) {
    for (const std::string& argument : arguments) {
      const std::size_t equals = std::min(argument.find('='), argument.size());
      if (argument.substr(0, equals) == option)
        require_number(option, argument.substr(std::min(equals + 1, argument.size())), smallest);
    }
    if (const char* const value = std::getenv(variable)) require_number(variable, value, smallest);
  }
}

/// Kokkos takes what it knows out of (argc, argv); it must be handed the program's name first.
std::unique_ptr<Kokkos::ScopeGuard> start_kokkos(const std::vector<std::string>& arguments) {
  require_kokkos_numbers(arguments);
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

Session::Session(comm::Communicator& ranks, const std::vector<std::string>& kokkos_arguments, Log log,
                 const OnSignal on_signal)
    : communicator_(ranks),
      log_(std::move(log)),
      kokkos_(start_kokkos(kokkos_arguments)),
      device_communicator_(comm::make_device_communicator(communicator_)) {
  if (!communicator_.is_root()) log_.set_level(LogLevel::error);
  if (on_signal == OnSignal::finish_step) stop_.emplace();
  const Kokkos::DefaultExecutionSpace exec;
  if (communicator_.size() > 1) log_.info("app", "{}", communicator().description());
  log_.debug("app", "Kokkos {} runs on {} with concurrency {}", KOKKOS_VERSION, exec.name(), exec.concurrency());
}

}  // namespace bcr::app
