#ifndef BCR_SRC_CORE_PROCESS_HPP
#define BCR_SRC_CORE_PROCESS_HPP

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bcr {

struct ProcessResult {
  int exit_code = 0;   ///< 128 + the signal for a process that was ended by one
  std::string output;  ///< its standard output
};

/// What a program is started as: the words of its command line, and variables added to the environment.
struct Command {
  std::vector<std::string> words;
  std::vector<std::string> variables;  ///< "NAME=value"

  /// As one would type it, quoted for a shell.
  std::string text() const;
};

/// Starts a program (found in PATH), waits for it and gathers its standard output; its standard error goes where ours
/// goes, its standard input is empty. It is ended, with the processes it started, when `limit` is over or `stop` says
/// so, and has `grace` to save what it has; then, and if it cannot be started, an IoError.
ProcessResult run_process(const Command& command, std::chrono::seconds limit, const std::function<bool()>& stop,
                          std::chrono::seconds grace = std::chrono::seconds(2));

/// The program that runs, wherever PATH found it; `name` where the system does not tell.
std::string own_program(std::string_view name);

}  // namespace bcr

#endif
