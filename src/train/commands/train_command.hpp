#ifndef BCR_SRC_TRAIN_COMMANDS_TRAIN_COMMAND_HPP
#define BCR_SRC_TRAIN_COMMANDS_TRAIN_COMMAND_HPP

#include "src/comm/communicator.hpp"
#include "src/core/config.hpp"
#include "src/core/log.hpp"
#include "src/train/options.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace bcr::train {

enum class Outcome;

/// What a command has from its program: whom it tells, its ranks, and whether it is to stop.
struct CommandContext {
  Log log;
  comm::Communicator& ranks;
  std::function<bool()> stop;
};

/// All of bcr-train between the command line and the run directory: data to stdout, talk to `log`, failures as
/// exceptions.
class TrainCommand {
 public:
  void declare(CLI::App& parser);
  Outcome run(const Config& config, const CommandContext& context) const;

 private:
  RunOptions options(const Config& config) const;
  Outcome run_one(const RunOptions& options, const std::filesystem::path& out, const CommandContext& context) const;
  Outcome run_trials(const RunOptions& options, const CommandContext& context) const;

  std::filesystem::path out_;
  std::string resume_;
  std::optional<std::uint64_t> seed_;
  std::optional<std::string> mode_;
  int trials_ = 0;
  bool dry_run_ = false;
  bool print_config_ = false;
  std::string template_;
};

/// The options of one of several trials: the next seed, and the split with the trial's number, counted from 0, in place
/// of "{trial}".
RunOptions options_of_trial(const RunOptions& options, int trial);

}  // namespace bcr::train

#endif
