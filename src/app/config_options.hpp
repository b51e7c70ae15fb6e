#ifndef BCR_SRC_APP_CONFIG_OPTIONS_HPP
#define BCR_SRC_APP_CONFIG_OPTIONS_HPP

#include "src/core/config.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace bcr::app {

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
