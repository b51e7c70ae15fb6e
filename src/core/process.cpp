#include "src/core/process.hpp"

#include "src/core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
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

/// A child in a process group of its own, whose standard output we read. It has nothing to read: in a background group
/// a terminal would stop it, and a script's input is not its own.
class Child {
 public:
  Child(const Command& command, const std::chrono::seconds grace) : grace_(grace) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw IoError("pipe", "two ends", std::strerror(errno));
    output_ = ends[0];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    auto words = command.words;
    auto variables = environment_with(command.variables);
    const int error = ::posix_spawnp(&process_, words.front().c_str(), &actions, &attributes, pointers(words).data(),
                                     pointers(variables).data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
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
