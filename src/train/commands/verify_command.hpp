#ifndef BCR_SRC_TRAIN_COMMANDS_VERIFY_COMMAND_HPP
#define BCR_SRC_TRAIN_COMMANDS_VERIFY_COMMAND_HPP

#include "src/comm/communicator.hpp"
#include "src/core/config.hpp"
#include "src/core/log.hpp"
#include "src/run/receipt.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bcr::train {

/// All of bcr-verify between the command line and its lines on stdout; rank 0 prints, and writes the receipt. An IoError
/// if anything is wrong with a run or a receipt.
class VerifyCommand {
 public:
  void declare(CLI::App& parser);
  /// `config` may say where the data of a run lie on this machine, and nothing else.
  void run(const Config& config, const Log& log, comm::Communicator& ranks) const;

 private:
  run::Receipt replay_run(const std::filesystem::path& path, const Config& config, const Log& log,
                          comm::Communicator& ranks, const std::vector<run::Finding>& findings) const;

  std::vector<std::filesystem::path> runs_;
  std::filesystem::path receipt_;
  std::filesystem::path out_;
  std::optional<std::size_t> replay_;
  std::string challenge_;
};

}  // namespace bcr::train

#endif
