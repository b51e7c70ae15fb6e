#include "io/commands/data_command.hpp"

#include <CLI/CLI.hpp>

namespace bcr::io {

DataCommand::DataCommand() {
  entries_.push_back({make_import_verb()});
  entries_.push_back({make_info_verb()});
  entries_.push_back({make_split_verb()});
  entries_.push_back({make_verify_verb()});
}

DataCommand::~DataCommand() = default;

void DataCommand::declare(CLI::App& parser) {
  parser.require_subcommand(1);
  for (Entry& entry : entries_) entry.parser = entry.verb->declare(parser);
}

void DataCommand::run(const Log& log) {
  for (Entry& entry : entries_) {
    if (entry.parser->parsed()) entry.verb->run(log);
  }
}

}  // namespace bcr::io
