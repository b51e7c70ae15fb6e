#include "src/core/process.hpp"

#include "src/core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

namespace bcr {
namespace {

using Instant = std::chrono::steady_clock;

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto name = text.substr(0, text.find('=') + 1);
    if (std::none_of(variables.begin(), variables.end(), [&](const std::string& v) { return v.starts_with(name); }))
      all.emplace_back(text);
  }
  return all;
}

/// Between fork and exec: what other threads held when we forked stays held, so nothing here takes a lock or memory.
/// Returns the reason why the program does not run.
int become(const std::vector<char*>& words, const std::vector<char*>& variables, const int output, const pid_t parent) {
  // Whoever kills us with SIGKILL cannot have us end our child: Linux tells it. posix_spawn knows nothing of that.
  if (::prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) return errno;
  if (::getppid() != parent) ::_exit(128 + SIGTERM);  // it ended before we asked
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0 || ::dup2(output, STDOUT_FILENO) < 0) return errno;
  if (::setpgid(0, 0) != 0) return errno;
  if (nothing > STDERR_FILENO) ::close(nothing);
  ::execvpe(words.front(), words.data(), variables.data());
  return errno;
}

/// Starts a program; 0, or the reason why not.
int start(const std::vector<char*>& words, const std::vector<char*>& variables, const int output, pid_t& process) {
  std::array<int, 2> reasons{};
  if (::pipe2(reasons.data(), O_CLOEXEC) != 0) return errno;
  const pid_t parent = ::getpid();
  process = ::fork();
  if (process == 0) {
    const int reason = become(words, variables, output, parent);
    [[maybe_unused]] const ssize_t told = ::write(reasons[1], &reason, sizeof reason);
    ::_exit(127);
  }
  int reason = process < 0 ? errno : 0;
  ::close(reasons[1]);
  if (process > 0) {
    ssize_t count = 0;  // the end of the pipe closes when the program runs
    while ((count = ::read(reasons[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    if (count > 0) ::waitpid(process, nullptr, 0);
  }
  ::close(reasons[0]);
  return reason;
}

/// A child in a process group of its own, whose standard output we read. It has nothing to read: in a background group
/// a terminal would stop it, and a script's input is not its own.
class Child {
 public:
  Child(const Command& command, const std::chrono::seconds grace) : grace_(grace) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw IoError("pipe", "two ends", std::strerror(errno));
    output_ = ends[0];
    auto words = command.words;
    auto variables = environment_with(command.variables);
    const int error = start(pointers(words), pointers(variables), ends[1], process_);
    ::close(ends[1]);
    if (error == 0) return;
    ::close(output_);
    throw IoError("start " + words.front(), "a program that can be started", std::strerror(error));
  }
  ~Child() {
    if (!waited_) end();
    ::close(output_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for output, a tenth of a second at most. False once there will be no more.
  bool read(std::string& text) const {
    pollfd waiting{output_, POLLIN, 0};
    if (::poll(&waiting, 1, 100) <= 0) return true;
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(output_, buffer.data(), buffer.size());
    if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
  }

  int wait() {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    waited_ = true;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  /// A launcher passes SIGTERM on to its ranks; whoever is still there when the grace is over is killed.
  void end() {
    ::kill(-process_, SIGTERM);
    const auto until = Instant::now() + grace_;
    int status = 0;
    while (::waitpid(process_, &status, WNOHANG) == 0 && Instant::now() < until) ::usleep(20000);
    ::kill(-process_, SIGKILL);
    ::waitpid(process_, &status, 0);
    waited_ = true;
  }

 private:
  std::chrono::seconds grace_;
  pid_t process_ = 0;
  int output_ = -1;
  bool waited_ = false;
};

bool is_plain(const char c) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  return plain.find(c) != std::string_view::npos;
}

std::string quoted(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string Command::text() const {
  std::string text;
  for (const auto* list : {&variables, &words}) {
    for (const std::string& word : *list) {
      if (!text.empty()) text += ' ';
      text += quoted(word);
    }
  }
  return text;
}

ProcessResult run_process(const Command& command, const std::chrono::seconds limit, const std::function<bool()>& stop,
                          const std::chrono::seconds grace) {
  Child child(command, grace);
  ProcessResult result;
  const auto until = Instant::now() + limit;
  while (child.read(result.output)) {
    if (stop()) throw IoError("run " + command.words.front(), "time to finish", "a request to stop");
    if (Instant::now() > until)
      throw IoError("run " + command.words.front(), fmt::format("an end within {} s", limit.count()), "none");
  }
  result.exit_code = child.wait();
  return result;
}

std::string own_program(const std::string_view name) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string(name) : program.string();
}

}  // namespace bcr
