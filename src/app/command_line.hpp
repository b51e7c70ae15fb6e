#ifndef BCR_SRC_APP_COMMAND_LINE_HPP
#define BCR_SRC_APP_COMMAND_LINE_HPP

#include "src/core/config.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace bcr::app {

/// A command line in three heaps, each in its original order.
struct Arguments {
  std::vector<std::string> own;        ///< what the program's parser sees
  std::vector<std::string> kokkos;     ///< --kokkos-*, for Kokkos alone
  std::vector<std::string> overrides;  ///< "--train.lr=0.1" as "train.lr=0.1", for the configuration
};

/// Sorts the arguments (without the program's name). A dotted option takes its value after '=' or as the next
/// argument: `--train.lr 0.1`. Throws ConfigError for a dotted option without a value.
Arguments sort_arguments(std::span<const std::string> arguments);

/// The part of a command line that makes a configuration: `--config FILE` (repeatable, later wins) and dotted
/// overrides (`--train.lr=0.1`), which win over files.
class ConfigOptions {
 public:
  /// Adds `--config` to a program's parser. `this` must outlive the parser.
  void declare(CLI::App& parser);

  /// Called by run_main with the dotted options it found.
  void set_overrides(std::vector<std::string> overrides) { overrides_ = std::move(overrides); }

  Config load() const { return Config::load(files_, overrides_); }

 private:
  std::vector<std::filesystem::path> files_;
  std::vector<std::string> overrides_;
};

}  // namespace bcr::app

#endif
