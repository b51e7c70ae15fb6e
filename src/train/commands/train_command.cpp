#include "src/train/commands/train_command.hpp"

#include "src/train/commands/templates.hpp"
#include "src/train/run_lock.hpp"
#include "src/train/trainer.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace bcr::train {
namespace {

constexpr std::string_view trial_mark = "{trial}";

std::filesystem::path with_trial(const std::filesystem::path& path, const int trial) {
  std::string text = path.string();
  for (std::size_t at = text.find(trial_mark); at != std::string::npos; at = text.find(trial_mark))
    text.replace(at, trial_mark.size(), std::to_string(trial));
  return text;
}

/// A run directory can be used from anywhere.
void make_absolute(RunOptions& options) {
  DataOptions& data = options.data;
  const auto change = [](std::filesystem::path& path) {
    if (!path.empty()) path = std::filesystem::absolute(path).lexically_normal();
  };
  change(data.split);
  change(data.known_train);
  change(data.known_test);
  for (std::filesystem::path& path : data.background_train) change(path);
  for (std::filesystem::path& path : data.unknown_test) change(path);
  change(options.train.start_from);
}

nn::Mode parse_mode(const std::string& word) {
  for (const auto& [name, mode] : enum_names(nn::Mode{}))
    if (name == word) return mode;
  throw ConfigError("--mode", "strict or fast", word);
}

}  // namespace

RunOptions options_of_trial(const RunOptions& options, const int trial) {
  RunOptions changed = options;
  changed.seed += static_cast<std::uint64_t>(trial);
  changed.data.split = with_trial(options.data.split, trial);
  changed.train.start_from = with_trial(options.train.start_from, trial);
  make_absolute(changed);
  return changed;
}

void TrainCommand::declare(CLI::App& parser) {
  parser.add_option("--out", out_, "run directory; must not hold a run, unless it is resumed")->type_name("DIR");
  parser
      .add_option("--resume", resume_,
                  "continue: auto is the latest checkpoint of --out, if there is one; a checkpoint "
                  "from elsewhere wants a new --out")
      ->type_name("auto|PATH");
  parser.add_option("--seed", seed_, "the key seed of the configuration")->type_name("N");
  parser.add_option("--mode", mode_, "the key mode of the configuration")->type_name("strict|fast");
  parser
      .add_option("--trials", trials_, "N runs in DIR/trial-1 ...: seeds from seed on, {trial} in data.split from 0 on")
      ->type_name("N")
      ->check(CLI::Range(1, 1000));
  parser.add_flag("--dry-run", dry_run_, "make everything, print what would run, and train nothing");
  parser.add_option("--template", template_, "print a commented configuration to begin with, and exit")
      ->type_name("NAME");
  parser.add_flag("--print-config", print_config_, "print the configuration with every key explained, and exit");
}

RunOptions TrainCommand::options(const Config& config) const {
  RunOptions options = config.read<RunOptions>();
  if (seed_) options.seed = *seed_;
  if (mode_) options.mode = parse_mode(*mode_);
  require_consistent(options);
  return options;
}

Outcome TrainCommand::run(const Config& config, const CommandContext& context) const {
  if (!template_.empty()) {
    const std::string_view text = config_templates().find(template_).text;
    if (context.ranks.is_root()) fmt::print("{}", text);
    return Outcome::done;
  }
  const RunOptions options = this->options(config);
  if (print_config_) {
    if (context.ranks.is_root()) fmt::print("{}", to_toml(options, Comments::help));
    return Outcome::done;
  }
  if (dry_run_) {
    const std::string summary = Experiment(options_of_trial(options, 0), context.log, context.ranks).summary();
    if (context.ranks.is_root()) fmt::print("{}", summary);
    return Outcome::done;
  }
  require<ConfigError>(!out_.empty(), "--out", "a directory for the results", "none");
  return trials_ > 0 ? run_trials(options, context) : run_one(options_of_trial(options, 0), out_, context);
}

Outcome TrainCommand::run_one(const RunOptions& options, const std::filesystem::path& out,
                              const CommandContext& context) const {
  const RunDirectory directory(out);
  const bool writes = context.ranks.is_root();
  std::optional<RunLock> lock;
  std::error_code missing;
  if (writes && std::filesystem::is_directory(out, missing)) lock.emplace(directory, context.log);
  const bool goes_on_here = resume_ == "auto" || (!resume_.empty() && directory.holds(resume_));
  if (writes && !goes_on_here) directory.require_unused();
  const auto found = resume_.empty() ? std::nullopt : find_checkpoint(directory, resume_, context.log);
  Experiment experiment(options, context.log, context.ranks);
  context.ranks.barrier();  // until here nobody has written: all ranks saw the same directory
  if (writes && !lock) {
    directory.create();
    lock.emplace(directory, context.log);
    directory.require_unused();
  }
  if (writes) directory.remove_leftovers();
  Trainer trainer(experiment, directory, context.stop);
  if (found) trainer.resume(*found);
  return trainer.run();
}

Outcome TrainCommand::run_trials(const RunOptions& options, const CommandContext& context) const {
  require<ConfigError>(resume_.empty() || resume_ == "auto", "--resume", "auto, with --trials", resume_);
  for (int trial = 0; trial < trials_; ++trial) {
    context.log.info("train", "trial {} of {}", trial + 1, trials_);
    const RunDirectory directory = RunDirectory(out_).trial(trial + 1);
    const Outcome outcome = run_one(options_of_trial(options, trial), directory.path(), context);
    if (outcome == Outcome::stopped) return outcome;
  }
  return Outcome::done;
}

}  // namespace bcr::train
