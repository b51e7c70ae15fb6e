#ifndef BCR_SRC_TRAIN_COMMANDS_EVAL_COMMAND_HPP
#define BCR_SRC_TRAIN_COMMANDS_EVAL_COMMAND_HPP

#include "src/comm/communicator.hpp"
#include "src/core/config.hpp"
#include "src/core/log.hpp"
#include "src/run/metrics_file.hpp"
#include "src/run/run_directory.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bcr::train {

/// All of bcr-eval between the command line and the files it adds to a run directory, or to another one; rank 0 writes
/// and prints. An evaluation that is there stays, unless the user says otherwise.
class EvalCommand {
 public:
  void declare(CLI::App& parser);
  /// `config` is laid over the configuration of the run: other test sets, other files.
  void run(const Config& config, const Log& log, comm::Communicator& ranks) const;

 private:
  run::Metrics evaluate(const run::RunDirectory& directory, const run::RunDirectory& out, const Config& config,
                        const Log& log, comm::Communicator& ranks) const;
  void evaluate_trials(const run::RunDirectory& out, const Config& config, const Log& log,
                       comm::Communicator& ranks) const;
  /// A ConfigError, before anything is computed, if an evaluation is there.
  void require_room(const run::RunDirectory& out) const;

  std::filesystem::path directory_;
  std::filesystem::path checkpoint_;
  std::filesystem::path out_;
  bool overwrite_ = false;
  std::vector<std::string> scores_;
  std::size_t examples_ = 24;
  std::size_t reference_images_ = 1000;
  bool reference_ = false;
};

}  // namespace bcr::train

#endif
