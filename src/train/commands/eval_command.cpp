#include "src/train/commands/eval_command.hpp"

#include "src/train/data_record.hpp"
#include "src/train/examples.hpp"
#include "src/train/evaluation_metrics.hpp"
#include "src/train/rank_agreement.hpp"
#include "src/run/run_directory.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bcr::train {

namespace fs = std::filesystem;

namespace {

RunOptions read_options(const RunDirectory& directory, const Config& config) {
  if (!fs::exists(directory.config()))
    throw IoError("bcr-eval", "a run directory, made by bcr-train",
                  fmt::format("'{}' without config.resolved.toml", directory.path().string()));
  const std::vector<fs::path> files{directory.config()};
  return config.read<RunOptions>(Config::load(files).read<RunOptions>());
}

/// What the user lays over the configuration of the run.
OtherTestData other_test_data(const Config& config) {
  const Config data = config.section("data");
  const auto is_given = [&](const std::string_view key) { return data.tree().find(key) != nullptr; };
  return {.split = is_given("split"), .known_test = is_given("known_test"), .unknown_test = is_given("unknown_test")};
}

/// The latest checkpoint of a run that still goes on, or was stopped, is no result of that run yet.
void warn_if_unfinished(const fs::path& run, const RunOptions& options, const OpenData& data,
                        const io::Checkpoint& found, const Log& log) {
  const BatchPlan plan{.known_count = data.known_train.count(),
                       .known_batch = static_cast<std::size_t>(options.data.known.batch),
                       .background_batch = static_cast<std::size_t>(options.data.background.batch),
                       .last_batch = options.data.last_batch};
  const std::uint64_t total = plan.steps_per_epoch() * static_cast<std::uint64_t>(options.train.epochs);
  if (found.step < total) log.warning("eval", "{} is not finished: step {} of {}", run.string(), found.step, total);
}

FoundCheckpoint read_found(const fs::path& path) {
  return {io::read_checkpoint(path), path};
}

io::ScoresFile scores_file(const EvaluationResult& result, const Evaluator& evaluator, const OpenData& data,
                           const FoundCheckpoint& found, const std::size_t examples) {
  io::ScoresFile file;
  file.default_score = result.scores.front();
  file.model = found.checkpoint.model;
  const std::array<std::string_view, 1> everything{""};
  file.checkpoint_sha256 = io::sha256_of(found.checkpoint.tensors, everything);
  file.class_names = data.known_test.pieces().front().selection.classes;
  TestScores test = label_by_file(result.test, data);
  file.examples = pick_examples(test, data, examples);
  file.known = std::move(test.known);
  file.unknown = std::move(test.unknown);
  file.train_known = result.train_known;
  file.validation = result.validation;
  if (file.validation) file.validation->files = data.validation.file_names();
  file.anchors = evaluator.anchors();
  return file;
}

}  // namespace

void EvalCommand::declare(CLI::App& parser) {
  parser.add_option("RUN", directory_, "run directory, or one of trials")->required();
  parser.add_option("--checkpoint", checkpoint_, "default: checkpoint-latest.h5 of the run")->type_name("PATH");
  parser.add_option("--scores", scores_, "scores to compute, the first being the default one; all: all that fit; if absent, those that cost little")
      ->delimiter(',')
      ->type_name("NAME,...");
  parser
      .add_option("--out", out_, "directory for scores.h5, fitted.h5 and metrics.json; default: the run directory")
      ->type_name("DIR");
  parser.add_flag("--overwrite", overwrite_, "replace an evaluation that is there");
  parser.add_option("--examples", examples_, "best and worst images kept in scores.h5")->type_name("N");
  parser.add_flag("--reference", reference_, "compare with the same model in double precision on the CPU");
  parser.add_option("--reference-images", reference_images_, "of each set, for --reference")->type_name("N");
}

void EvalCommand::run(const Config& config, const Log& log, comm::Communicator& ranks) const {
  const RunDirectory top(directory_);
  const RunDirectory out(out_.empty() ? directory_ : out_);
  if (fs::is_directory(top.trial(1).path())) return evaluate_trials(out, config, log, ranks);
  const run::Metrics metrics = evaluate(top, out, config, log, ranks);
  if (ranks.is_root()) fmt::print("{}", table_text(metrics));
}

void EvalCommand::evaluate_trials(const RunDirectory& out, const Config& config, const Log& log,
                                  comm::Communicator& ranks) const {
  require<ConfigError>(checkpoint_.empty(), "--checkpoint", "a single run", "a directory of trials");
  require_room(out);
  const RunDirectory top(directory_);
  std::vector<run::Metrics> all;
  for (int trial = 1; fs::is_directory(top.trial(trial).path()); ++trial)
    all.push_back(evaluate(top.trial(trial), out.trial(trial), config, log, ranks));
  if (!ranks.is_root()) return;
  const run::TrialMetrics metrics = metrics_of_trials(all);
  run::write_trial_metrics(out.metrics(), metrics);
  fmt::print("{}", trials_text(metrics));
}

void EvalCommand::require_room(const RunDirectory& out) const {
  if (overwrite_) return;
  for (const fs::path& file : {out.metrics(), out.scores(), out.fitted()})
    if (fs::exists(file))
      throw ConfigError("bcr-eval " + directory_.string(),
                        "no evaluation yet, or --out DIR for another one, or --overwrite to replace it", file.string());
}

run::Metrics EvalCommand::evaluate(const RunDirectory& directory, const RunDirectory& out, const Config& config,
                                   const Log& log, comm::Communicator& ranks) const {
  const RunOptions options = read_options(directory, config);
  require_room(out);
  const FoundCheckpoint found = read_found(checkpoint_.empty() ? directory.latest() : checkpoint_);
  const OpenData data = open_data_of_run(options, DataUse::both);
  require_same_model(found, options, data, other_test_data(config), log);
  verify_old_files(data, log);
  warn_of_shared_images(data, log);
  warn_of_different_fits(data, log);
  if (checkpoint_.empty() && options.train.patience == 0)
    warn_if_unfinished(directory.path(), options, data, found.checkpoint, log);
  ranks.set_time_limit(std::chrono::duration<double>(options.train.sharding.time_limit));
  Evaluator evaluator(options, data, found, scores_, log, ranks);
  const EvaluationResult result = evaluator.run();
  run::Metrics metrics = metrics_of(result, found, data);
  write_on_root(ranks, std::chrono::duration<double>(0), [&] {
    if (reference_) {
      const ReferenceDifferences reference = compare_with_reference(evaluator, options, data, found, reference_images_);
      log.info("eval", "reference in double, {} images: features {:.3g}, outputs {:.3g}, log P_I {:.3g}, {} {:.3g}; "
               "{} predictions differ", reference.images, reference.feature, reference.output,
               reference.log_inclusion, evaluator.plan().default_score, reference.score, reference.predictions);
      metrics.reference = reference_numbers(reference);
    }
    out.create();
    io::write_scores_file(out.scores(), scores_file(result, evaluator, data, found, examples_));
    evaluator.write_fitted(out.fitted(), metrics.from.weights_sha256);
    run::write_metrics(out.metrics(), metrics);
  });
  return metrics;
}

}  // namespace bcr::train
