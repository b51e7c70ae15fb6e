#ifndef BCR_SRC_APP_RUN_MAIN_HPP
#define BCR_SRC_APP_RUN_MAIN_HPP

#include "src/app/command_line.hpp"
#include "src/app/session.hpp"

#include <CLI/CLI.hpp>

#include <exception>
#include <functional>
#include <string>

namespace bcr::app {

/// What a program tells its caller. Scripts and job systems rely on these numbers.
enum class ExitCode : int {
  done = 0,
  failed = 1,    ///< anything that is none of the following
  usage = 2,     ///< command line or configuration
  data = 3,      ///< a file or data set
  numerics = 4,  ///< NaN, infinity, divergence
  stopped = 5,   ///< asked to stop by a signal, and saved: the same command goes on
};

/// The code for an exception that reached the top of a program.
ExitCode exit_code_for(const std::exception& error) noexcept;

enum class VersionFormat { text, json, bill_of_materials };

/// Everything a bug report needs: version, git state, compiler and flags, libraries, Kokkos backends, machine.
/// Kokkos need not run.
std::string version_text(const std::string& program, VersionFormat format);

/// A program as its driver wires it: what it is called, which options it adds, what it does.
struct Program {
  std::string name;     ///< "bcr-train"
  std::string summary;  ///< the first lines of --help
  std::string footer;   ///< the last lines of --help: examples, files, exit codes come behind it
  /// Adds options and subcommands to the parser.
  std::function<void(CLI::App&)> declare = [](CLI::App&) {};
  /// Non-null: the program reads a configuration (`--config`, dotted overrides).
  ConfigOptions* config = nullptr;
  /// finish_step: the program asks session.stop_requested() in its loop.
  OnSignal on_signal = OnSignal::end;
  /// Runs between Kokkos initialize and finalize. Throw to fail; the kind of the error decides the exit code.
  std::function<ExitCode(Session&)> run;
};

/// The main of every driver: sorts the command line, answers --help and --version, brings the Session up, runs, and
/// turns every exception into one message on stderr and an exit code.
int run_main(int argc, char** argv, const Program& program);

}  // namespace bcr::app

#endif
