#include "src/app/session.hpp"

#include "src/comm/start.hpp"
#include "src/core/error.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace bcr::app {
namespace {

volatile std::sig_atomic_t received_signal = 0;  // a handler can reach nothing but a global

std::atomic<std::int64_t> time_of_first{0};  // in milliseconds
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "a handler must not wait for a lock");

constexpr std::int64_t same_request = 2000;  // milliseconds

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1000000;
}

void on_signal(const int signal) {
  if (received_signal == 0) {
    time_of_first = now();
    received_signal = signal;
  } else if (now() - time_of_first > same_request) {
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

int StopSignal::received() const noexcept {
  return received_signal;
}

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
  watch_.emplace(log_, Kokkos::DefaultHostExecutionSpace().concurrency());
  const Kokkos::DefaultExecutionSpace exec;
  if (communicator_.size() > 1) log_.info("app", "{}", communicator().description());
  log_.debug("app", "Kokkos {} runs on {} with concurrency {}", KOKKOS_VERSION, exec.name(), exec.concurrency());
}

}  // namespace bcr::app
