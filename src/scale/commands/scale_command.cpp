#include "src/scale/commands/scale_command.hpp"

#include "src/core/error.hpp"

#include <CLI/CLI.hpp>

namespace bcr::scale {

ScaleCommand::ScaleCommand() {
  entries_.push_back({make_run_verb()});
  entries_.push_back({make_study_verb()});
  entries_.push_back({make_compare_verb()});
}

ScaleCommand::~ScaleCommand() = default;

void ScaleCommand::declare(CLI::App& parser) {
  parser.require_subcommand(1);
  parser.fallthrough();
  for (Entry& entry : entries_) entry.parser = entry.verb->declare(parser);
}

Outcome ScaleCommand::run(const Surroundings& surroundings) {
  for (Entry& entry : entries_)
    if (entry.parser->parsed()) return entry.verb->run(surroundings);
  return Outcome::failed;
}

void require_one_rank(const comm::Communicator& ranks, const std::string_view verb) {
  require<ConfigError>(ranks.size() == 1, "bcr-scale " + std::string(verb),
                       "one process (a study starts the ranks of its points itself)", std::to_string(ranks.size()));
}

void require_no_config(const Config& config, const std::string_view verb) {
  const auto& table = std::get<ConfigValue::Table>(config.tree().data);
  if (table.empty()) return;
  throw ConfigError("bcr-scale " + std::string(verb), "options that --help lists", table.front().value.origin.text());
}

}  // namespace bcr::scale
