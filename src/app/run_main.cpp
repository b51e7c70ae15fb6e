#include "src/app/run_main.hpp"

#include "src/app/command_line.hpp"
#include "src/comm/start.hpp"
#include "src/core/bill_of_materials.hpp"
#include "src/core/build_info.hpp"
#include "src/core/error.hpp"
#include "src/core/machine_info.hpp"
#include "src/core/manifest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace bcr::app {
namespace {

constexpr const char* common_footer =
    "Options of Kokkos (--kokkos-num-threads=2, --kokkos-help, ...) are passed through.\n"
    "Exit codes: 0 done, 1 failed, 2 usage or configuration, 3 data or file, 4 numerical failure,\n"
    "5 stopped by a signal and saved: to be resumed.";

void declare_common(CLI::App& parser, LogLevel& level) {
  // Listed for --help; answered before parsing, because it needs none of the options a program requires.
  parser.add_flag("--version")
      ->description("print everything a bug report needs, and exit (with --json: as JSON; with --sbom: what was linked, "
                    "as a CycloneDX bill of materials)");
  std::string names;
  for (const auto& [name, value] : enum_names(LogLevel{})) names += (names.empty() ? "" : "|") + std::string(name);
  const auto choose = [&level, names](const std::string& chosen) {
    for (const auto& [name, value] : enum_names(LogLevel{})) {
      if (name != chosen) continue;
      level = value;
      return;
    }
    throw CLI::ValidationError("--log", "expected " + names + ", received '" + chosen + "'");
  };
  parser.add_option_function<std::string>("--log", choose, "how much to say on stderr")->type_name(names);
}

bool has(const std::vector<std::string>& arguments, const char* word) {
  return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
}

/// Parses; returns an exit code if the program is answered already (--help, --version, a wrong line).
std::optional<ExitCode> parse(CLI::App& parser, std::vector<std::string> arguments) {
  if (has(arguments, "--version")) {
    const VersionFormat format = has(arguments, "--sbom")   ? VersionFormat::bill_of_materials
                                 : has(arguments, "--json") ? VersionFormat::json
                                                            : VersionFormat::text;
    fmt::print("{}\n", version_text(parser.get_name(), format));
    return ExitCode::done;
  }
  try {
    std::reverse(arguments.begin(), arguments.end());  // CLI11 pops from the back
    parser.parse(arguments);
  } catch (const CLI::CallForHelp& call) {
    parser.exit(call);
    return ExitCode::done;
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "{}: {}\nRun {} --help for what it understands.\n", parser.get_name(), error.what(),
               parser.get_name());
    return ExitCode::usage;
  }
  return std::nullopt;
}

ExitCode report(const std::string& name, const std::exception& error) {
  fmt::print(stderr, "{}: {}\n", name, error.what());
  std::fflush(stderr);
  if (const auto* ours = dynamic_cast<const Error*>(&error); ours != nullptr && std::getenv("BCR_DEBUG") != nullptr) {
    fmt::print(stderr, "  noticed at {}:{}\n", ours->where().file, ours->where().line);
  }
  return exit_code_for(error);
}

/// Ends the job for a rank that failed, while the Session still lives: the other ranks wait for this one. Ranks that
/// fail together for one reason say it once.
[[noreturn]] void end_job(const std::string& name, comm::Communicator& ranks, const std::exception& error) {
  std::this_thread::sleep_for(ranks.turn_to_speak());
  const ExitCode code = report(fmt::format("{} (rank {} of {})", name, ranks.rank(), ranks.size()), error);
  ranks.abort(static_cast<int>(code));
}

/// A rank that cannot start must not leave quietly: the others would wait for it, in MPI_Finalize at the latest.
std::unique_ptr<Session> start_session(const Program& program, comm::Communicator& ranks,
                                       const std::vector<std::string>& kokkos_arguments, const Log& log) {
  try {
    return std::make_unique<Session>(ranks, kokkos_arguments, log, program.on_signal);
  } catch (const std::exception& error) {
    if (ranks.size() == 1) throw;
    end_job(program.name, ranks, error);
  }
}

ExitCode run_in(Session& session, const Program& program) {
  comm::Communicator& ranks = session.communicator();
  if (ranks.size() == 1) return program.run(session);
  try {
    const ExitCode code = program.run(session);
    std::fflush(stdout);
    ranks.barrier();  // launchers take the first rank that leaves with a code other than 0 for a crash
    return code;
  } catch (const std::exception& error) {
    end_job(program.name, ranks, error);
  }
}

ExitCode run(const Program& program, const std::vector<std::string>& words) {
  const Arguments arguments = sort_arguments(words);
  CLI::App parser(program.summary, program.name);
  parser.footer(program.footer.empty() ? common_footer : program.footer + "\n" + common_footer);
  LogLevel level = LogLevel::info;
  declare_common(parser, level);
  program.declare(parser);
  if (program.config != nullptr) {
    program.config->declare(parser);
    program.config->set_overrides(arguments.overrides);
  } else if (!arguments.overrides.empty()) {
    throw ConfigError("command line", "options of " + program.name, "--" + arguments.overrides.front());
  }
  if (const auto answered = parse(parser, arguments.own)) return *answered;
  const std::unique_ptr<comm::Communicator> ranks = comm::start_communicator();
  const std::unique_ptr<Session> session = start_session(program, *ranks, arguments.kokkos, Log(level));
  return run_in(*session, program);
}

}  // namespace

ExitCode exit_code_for(const std::exception& error) noexcept {
  if (dynamic_cast<const ConfigError*>(&error)) return ExitCode::usage;
  if (dynamic_cast<const IoError*>(&error)) return ExitCode::data;
  if (dynamic_cast<const NumericsError*>(&error)) return ExitCode::numerics;
  return ExitCode::failed;
}

std::string version_text(const std::string& program, const VersionFormat format) {
  if (format == VersionFormat::json) return Manifest().to_json();
  if (format == VersionFormat::bill_of_materials) {
    std::vector<LibraryVersion> libraries = core_libraries();
    libraries.emplace_back("cli11", CLI11_VERSION);
    return bill_of_materials(program, libraries);
  }
  const BuildInfo build = build_info();
  const KokkosInfo kokkos = kokkos_info();
  const MachineInfo machine = machine_info();
  std::string text = fmt::format("bcr {}\n", build.version);
  const auto line = [&](const std::string_view name, const std::string& value) {
    text += fmt::format("  {:<14} {}\n", name, value);
  };
  line("git", fmt::format("{} ({})", build.git_hash, build.git_state));
  line("compiler", fmt::format("{}, {}", build.compiler, build.build_type));
  line("flags", build.compiler_flags);
  for (const auto& [name, version] : core_libraries()) line(name, version);
  line("MPI", comm::message_library());
  line("runs on", fmt::format("{}", fmt::join(kokkos.execution_spaces, ", ")));
  line("machine", fmt::format("{}, {} hardware threads, {}", machine.cpu_model, machine.hardware_threads,
                              machine.operating_system));
  text.pop_back();
  return text;
}

int run_main(const int argc, char** argv, const Program& program) {
  ExitCode code = ExitCode::failed;
  try {
    code = run(program, std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    code = report(program.name, error);
    if (std::ferror(stdout) != 0) code = ExitCode::data;  // fmt throws when a write fails
  } catch (...) {
    fmt::print(stderr, "{}: an error of unknown kind\n", program.name);
  }
  // A program whose data did not reach stdout (a full disk, a closed pipe) has not done its work.
  if (std::fflush(stdout) != 0 && code == ExitCode::done) {
    fmt::print(stderr, "{}: standard output could not be written\n", program.name);
    code = ExitCode::data;
  }
  return static_cast<int>(code);
}

}  // namespace bcr::app
