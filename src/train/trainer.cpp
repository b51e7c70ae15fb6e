#include "src/train/trainer.hpp"

#include "src/core/atomic_file.hpp"
#include "src/core/build_info.hpp"
#include "src/core/machine_info.hpp"
#include "src/train/data_record.hpp"
#include "src/train/hooks/checkpoint_hook.hpp"
#include "src/train/hooks/evaluation_hooks.hpp"
#include "src/train/hooks/hash_hook.hpp"
#include "src/train/hooks/log_hook.hpp"
#include "src/train/known_thresholds.hpp"
#include "src/train/model_state.hpp"
#include "src/train/rank_agreement.hpp"

#include <fmt/format.h>

#include <array>

namespace bcr::train {
namespace {

std::string mode_name(const nn::Mode mode) {
  for (const auto& [name, value] : enum_names(mode))
    if (value == mode) return std::string(name);
  return "";
}

}  // namespace

Trainer::Trainer(Experiment& experiment, const RunDirectory& directory, std::function<bool()> stop)
    : state_(experiment, directory), stop_(std::move(stop)) {
  state_.checkpoint = [this] { return checkpoint(); };
  add(std::make_unique<LogHook>(state_));
  add(std::make_unique<HashHook>());
  add(std::make_unique<CheckpointHook>());
  if (experiment.data.validation.count() > 0) add(std::make_unique<ValidationHook>(experiment));
  if (experiment.has_test_data()) add(std::make_unique<TestHook>(experiment));
  experiment.ranks.set_time_limit(std::chrono::duration<double>(experiment.options.train.sharding.time_limit));
  begin_manifest();
}

void Trainer::require_equal_start() const {
  const io::Checkpoint start = checkpoint();
  const std::array<std::string_view, 1> everything{""};
  require_same_on_all_ranks(state_.experiment.ranks, "start of the training",
                            fmt::format("step {}\nstate {}\n", state_.step, io::sha256_of(start.tensors, everything)));
}

void Trainer::begin() {
  if (state_.experiment.ranks.size() > 1) require_equal_start();
  state_.write_on_root([this] { begin_files(); });
  for (const auto& hook : hooks_) hook->begin(state_);
}

void Trainer::begin_files() {
  const Experiment& experiment = state_.experiment;
  state_.held.emplace(state_.directory.path());
  if (const std::size_t cut = state_.log.open(state_.directory.log()); cut > 0)
    experiment.context.log.warning("train", "{}: half a line at its end, {} bytes, is cut off",
                                   state_.directory.log().string(), cut);
  write_file(state_.directory.config(), to_toml(experiment.options));
  parts_.push_back({.host = machine_info().hostname,
                    .git = build_info().git_hash,
                    .ranks = experiment.ranks.size(),
                    .threads = experiment.context.exec.concurrency(),
                    .from_step = static_cast<std::int64_t>(state_.step),
                    .time_utc = utc_now()});
  state_.manifest.set_value("parts", run::parts_value(parts_));
  state_.manifest.write(state_.directory.manifest());
  if (!resumed_from_.empty()) state_.log.write_resume(state_.step, resumed_from_);
}

void Trainer::begin_manifest() {
  const Experiment& experiment = state_.experiment;
  Manifest& manifest = state_.manifest;
  manifest.set("seed", experiment.options.seed);
  manifest.set("mode", mode_name(experiment.options.mode));
  manifest.set("precision", nn::precision_name(nn::resolved_precision<Device>(experiment.options.mode, experiment.options.fast)));
  manifest.set("model", experiment.model.description());
  manifest.set("computed_by", experiment.model.network().computed_by());
  manifest.set("ranks", experiment.ranks.size());
  if (experiment.start) {
    manifest.set("start_from.file", experiment.start->file);
    manifest.set("start_from.sha256", experiment.start->sha256);
  }
  manifest.set("split.hash", experiment.data.split_hash);
  manifest.set("split.name", experiment.data.split.name);
  manifest.set("split.trial", experiment.data.split.trial);
  for (const DataRecord& record : data_records(experiment.data)) {
    manifest.set("data." + record.side + ".files", record.files);
    manifest.set("data." + record.side + ".sha256", record.sha256);
    manifest.set("data." + record.side + ".images", record.images);
  }
  if (const io::Vocabulary& words = experiment.data.vocabulary; !words.words().empty()) {
    manifest.set("data.vocabulary.words", words.words().size());
    manifest.set("data.vocabulary.sha256", words.sha256());
    if (state_.is_root()) write_file(state_.directory.vocabulary(), words.joined());
  }
  manifest.set("sha256.initial_weights", weights_sha256(save_model(experiment.context.exec, experiment.model)));
}

io::Checkpoint Trainer::checkpoint() const {
  const Experiment& experiment = state_.experiment;
  io::Checkpoint saved = begin_checkpoint(experiment.options, experiment.data);
  saved.model = experiment.model.description();
  saved.optimizer = experiment.optimizer->name();
  saved.optimizer_steps = experiment.optimizer->steps_done();
  saved.step = state_.step;
  saved.tensors = save_model(experiment.context.exec, experiment.model);
  save_optimizer(experiment.context.exec, *experiment.optimizer, saved.tensors);
  for (const auto& hook : hooks_) hook->save(saved);
  saved.thresholds = known_thresholds(saved.calibration, experiment.plan.default_score,
                                      score_shape(experiment.options, experiment.plan, experiment.model));
  return saved;
}

void Trainer::resume(const FoundCheckpoint& found) {
  Experiment& experiment = state_.experiment;
  require_same_run(found, checkpoint(), experiment.context.log);
  const std::string file = found.path.string();
  const io::Checkpoint& saved = found.checkpoint;
  if (saved.step > experiment.total_steps())
    throw ConfigError(fmt::format("resume from '{}'", file),
                      fmt::format("train.epochs for the {} steps that are done", saved.step),
                      fmt::format("{} epochs, {} steps", experiment.options.train.epochs, experiment.total_steps()));
  restore_model(experiment.context.exec, saved, file, experiment.model);
  restore_optimizer(experiment.context.exec, saved, file, *experiment.optimizer);
  for (const auto& hook : hooks_) hook->restore(saved);
  state_.resume_at(saved.step);
  experiment.context.log.info("train", "continues at step {} from {}", saved.step, file);
  resumed_from_ = found.path.filename().string();
  parts_ = run::read_parts(RunDirectory(found.path.parent_path()).manifest());
}

Outcome Trainer::run() {
  begin();
  while (!state_.at_end() && !state_.stops) {
    run_step();
    for (const auto& hook : hooks_) hook->after_step(state_);
    if (!state_.at_epoch_end()) continue;
    for (const auto& hook : hooks_) hook->after_epoch(state_);
  }
  if (!state_.stops) {
    finish();
    return Outcome::done;
  }
  state_.log.write_end(state_.step, "stopped");
  state_.progress->clear();
  state_.experiment.context.log.info("train", "stopped after step {}; --resume auto continues", state_.step);
  return Outcome::stopped;
}

void Trainer::run_step() {
  state_.watched = false;
  for (const auto& hook : hooks_) hook->before_step(state_);
  const StepAgreement agreement = state_.run_step(stop_());
  const bool stop = agreement.stop || (state_.experiment.ranks.size() == 1 && stop_());
  state_.stops = stop && !state_.at_end();
  if (!agreement.finite) state_.require_finite();
}

void Trainer::require_equal_weights(const std::string& sha256) const {
  const auto all = state_.experiment.ranks.gather(std::as_bytes(std::span(sha256)));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw NumericsError("training", "the same weights on every rank",
                          fmt::format("others on rank {} after step {}", rank, state_.step));
}

void Trainer::finish() {
  const Experiment& experiment = state_.experiment;
  for (const auto& hook : hooks_) hook->end(state_);
  const std::string weights = weights_sha256(save_model(experiment.context.exec, experiment.model));
  if (experiment.ranks.size() > 1) require_equal_weights(weights);
  state_.manifest.set("sha256.final_weights", weights);
  state_.manifest.set("steps", state_.step);
  state_.manifest.set("time_utc_end", utc_now());
  state_.write_on_root([this] { state_.manifest.write(state_.directory.manifest()); });
  state_.log.write_end(state_.step, "done");
}

}  // namespace bcr::train
