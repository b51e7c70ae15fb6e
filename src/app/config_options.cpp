#include "src/app/config_options.hpp"

namespace bcr::app {

void ConfigOptions::declare(CLI::App& parser) {
  parser.add_option("--config", files_, "configuration file (TOML); repeatable, later files win")->type_name("FILE");
}

}  // namespace bcr::app
