#include "src/train/trainer.hpp"

#include "kernels/reduce/reduce.hpp"
#include "models/heads/anchor_geometry.hpp"
#include "src/core/atomic_file.hpp"
#include "src/core/build_info.hpp"
#include "src/core/machine_info.hpp"
#include "src/train/data_record.hpp"
#include "src/train/model_state.hpp"
#include "src/train/rank_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bcr::train {
namespace {

bool all_finite(const std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](const double value) { return std::isfinite(value); });
}

std::string mode_name(const nn::Mode mode) {
  for (const auto& [name, value] : enum_names(mode))
    if (value == mode) return std::string(name);
  return "";
}

/// The mean of a metric over the unknown sets, where it is defined.
std::vector<metrics::MetricValue> mean_metrics(const TestScores& scores, const int classes) {
  std::vector<std::vector<metrics::MetricValue>> sets;
  for (std::size_t set = 0; set < std::max<std::size_t>(scores.unknown.size(), 1); ++set)
    sets.push_back(metrics::evaluate_all_metrics(evaluate_set(scores, set, 0, classes)));
  return metrics::mean_of_sets(sets);
}

double find(const std::vector<metrics::MetricValue>& values, const std::string_view name) {
  for (const metrics::MetricValue& value : values)
    if (value.metric->name == name && value.value) return *value.value;
  return std::nan("");
}

/// Their separation takes C^2 n / 2 operations: nothing against the steps between two lines of the log, but for tens of
/// thousands of classes.
bool worth_measuring(const Matrix<Real, Device>& anchors) {
  return double(anchors.extent(0)) * double(anchors.size()) < 2e9;
}

}  // namespace

Trainer::Trainer(Experiment& experiment, const RunDirectory& directory, std::function<bool()> stop)
    : experiment_(experiment),
      directory_(directory),
      stop_(std::move(stop)),
      training_(experiment.model, *experiment.loss, *experiment.optimizer),
      clock_(experiment.context.exec),
      work_(experiment.model.network().graph().multiply_accumulates(),
            measure_fma_peak<Device, Real>(experiment.context.exec, experiment.ranks)),
      inference_(experiment.model, {experiment.plan.default_score},
                 score_shape(experiment.options, experiment.plan, experiment.model.features()),
                 static_cast<std::size_t>(experiment.options.train.eval_batch)) {
  if (experiment_.data.validation.count() > 0)
    validation_.emplace(experiment_.context, experiment_.data.validation, experiment_.data, experiment_.options.data,
                        inference_.batch(), experiment_.ranks);
  if (experiment_.has_test_data())
    test_.emplace(experiment_.context, experiment_.data, experiment_.options.data, inference_.batch(),
                  experiment_.ranks);
  if (experiment_.shards.shards > 1)
    sharded_.emplace(ShardedStep<Device, Real>::Parts{experiment_.model, *experiment_.loss, *experiment_.optimizer,
                                                      experiment_.ranks},
                     experiment_.shards, experiment_.options.train.sharding);
  experiment_.ranks.set_time_limit(std::chrono::duration<double>(experiment_.options.train.sharding.time_limit));
  begin_manifest();
}

void Trainer::require_equal_start() const {
  const io::Checkpoint start = checkpoint();
  const std::array<std::string_view, 1> everything{""};
  require_same_on_all_ranks(experiment_.ranks, "start of the training",
                            fmt::format("step {}\nstate {}\n", step_, io::sha256_of(start.tensors, everything)));
}

void Trainer::begin() {
  if (experiment_.ranks.size() > 1) require_equal_start();
  write_on_root([this] { begin_files(); });
}

void Trainer::begin_files() {
  if (const std::size_t cut = log_.open(directory_.log()); cut > 0)
    experiment_.context.log.warning("train", "{}: half a line at its end, {} bytes, is cut off",
                                    directory_.log().string(), cut);
  write_file(directory_.config(), to_toml(experiment_.options));
  parts_.push_back({.host = machine_info().hostname,
                    .git = build_info().git_hash,
                    .ranks = experiment_.ranks.size(),
                    .threads = experiment_.context.exec.concurrency(),
                    .from_step = static_cast<std::int64_t>(step_),
                    .time_utc = utc_now()});
  manifest_.set_value("parts", run::parts_value(parts_));
  manifest_.write(directory_.manifest());
  if (!resumed_from_.empty()) log_.write_resume(step_, resumed_from_);
}

void Trainer::begin_manifest() {
  manifest_.set("seed", experiment_.options.seed);
  manifest_.set("mode", mode_name(experiment_.options.mode));
  manifest_.set("model", experiment_.model.description());
  manifest_.set("ranks", experiment_.ranks.size());
  manifest_.set("split.hash", experiment_.data.split_hash);
  manifest_.set("split.name", experiment_.data.split.name);
  manifest_.set("split.trial", experiment_.data.split.trial);
  for (const DataRecord& record : data_records(experiment_.data)) {
    manifest_.set("data." + record.side + ".files", record.files);
    manifest_.set("data." + record.side + ".sha256", record.sha256);
    manifest_.set("data." + record.side + ".images", record.images);
  }
  if (const io::Vocabulary& words = experiment_.data.vocabulary; !words.words().empty()) {
    manifest_.set("data.vocabulary.words", words.words().size());
    manifest_.set("data.vocabulary.sha256", words.sha256());
    if (is_root()) write_file(directory_.vocabulary(), words.joined());
  }
  manifest_.set("sha256.initial_weights", weights_sha256(save_model(experiment_.context.exec, experiment_.model)));
}

void Trainer::write_on_root(const std::function<void()>& write) const {
  const double limit = experiment_.options.train.sharding.time_limit;
  train::write_on_root(experiment_.ranks, std::chrono::duration<double>(limit), write);
}

void Trainer::write_checkpoint(const std::filesystem::path& path) const {
  write_on_root([&] { io::write_checkpoint(path, checkpoint()); });
}

io::Checkpoint Trainer::checkpoint() const {
  io::Checkpoint state = begin_checkpoint(experiment_.options, experiment_.data);
  state.model = experiment_.model.description();
  state.optimizer = experiment_.optimizer->name();
  state.optimizer_steps = experiment_.optimizer->steps_done();
  state.step = step_;
  state.epoch_sums = sums_.save(experiment_.context.exec);
  state.best = best_.save();
  state.tensors = save_model(experiment_.context.exec, experiment_.model);
  save_optimizer(experiment_.context.exec, *experiment_.optimizer, state.tensors);
  return state;
}

void Trainer::resume(const FoundCheckpoint& found) {
  require_same_run(found, checkpoint(), experiment_.context.log);
  const std::string file = found.path.string();
  if (found.checkpoint.step > experiment_.total_steps())
    throw ConfigError(fmt::format("resume from '{}'", file),
                      fmt::format("train.epochs for the {} steps that are done", found.checkpoint.step),
                      fmt::format("{} epochs, {} steps", experiment_.options.train.epochs, experiment_.total_steps()));
  restore_model(experiment_.context.exec, found.checkpoint, file, experiment_.model);
  restore_optimizer(experiment_.context.exec, found.checkpoint, file, *experiment_.optimizer);
  sums_.restore(experiment_.context.exec, found.checkpoint.epoch_sums);
  step_ = finite_until_ = found.checkpoint.step;
  if (validation_) best_.restore(found.checkpoint.best);  // early programs chose it on test images
  experiment_.context.log.info("train", "continues at step {} from {}", step_, file);
  resumed_from_ = found.path.filename().string();
  parts_ = run::read_parts(RunDirectory(found.path.parent_path()).manifest());
}

Outcome Trainer::run() {
  experiment_.context.log.info("train", "fma peak of the threads of all ranks: {:.1f} GFLOP/s",
                               work_.peak_gigaflop_per_second());
  progress_.emplace(experiment_.context.log, step_, experiment_.total_steps());
  const auto save_every = static_cast<std::uint64_t>(experiment_.options.train.save_every);
  begin();
  bool ended = step_ > 0 && at_epoch_end() && evaluate_if_due();  // saved, but perhaps not yet told
  epoch_timer_.reset();
  while (!ended && step_ < experiment_.total_steps()) {
    const StepAgreement agreement = run_step();
    if (!agreement.finite) require_finite();
    const bool stops = agreement.stop && step_ < experiment_.total_steps();
    if (at_epoch_end()) {
      end_epoch();
      if (!stops) ended = evaluate_if_due();
      images_of_epoch_ = 0;
      epoch_timer_.reset();
    } else if (agreement.stop || (save_every > 0 && step_ % save_every == 0)) {
      save();
    }
    if (stops) {
      log_.write_end(step_, "stopped");
      progress_->clear();
      experiment_.context.log.info("train", "stopped after step {}; --resume auto continues", step_);
      return Outcome::stopped;
    }
  }
  finish();
  return Outcome::done;
}

StepAgreement Trainer::run_step() {
  const TrainOptions& options = experiment_.options.train;
  const Device& exec = experiment_.context.exec;
  const bool logged = (step_ + 1) % static_cast<std::uint64_t>(options.log_every) == 0;
  clock_.start(logged ? RegionClock<Device>::State::watching : RegionClock<Device>::State::idle);
  const double epoch = double(step_) / double(experiment_.steps_per_epoch());
  const StepSettings settings{.seed = experiment_.options.seed,
                              .step = step_,
                              .rate = experiment_.rate(step_),
                              .lambda = losses::lambda_at(experiment_.options.loss, epoch)};
  StepAgreement agreement;
  if (sharded_) {
    agreement = sharded_->run(exec, experiment_.batches, settings, stop_(), clock_);
    sums_.add(exec, sharded_->parts(), double(sharded_->known_images()));
    images_of_pass_ = sharded_->images_of_last_shard();
    images_of_epoch_ += sharded_->images();
  } else {
    const auto batch = experiment_.batches.load(exec, step_);
    clock_.end(Region::data);
    training_.run(exec, batch, settings, clock_);
    sums_.add(exec, training_.parts(), double(batch.labels.extent(0)));
    images_of_pass_ = batch.rows;
    images_of_epoch_ += images_of_pass_;
    agreement.stop = stop_();
  }
  ++step_;
  if (logged) log_step();
  return agreement;
}

losses::LossParts Trainer::loss_of_step() const {
  return losses::read_parts<Device>(experiment_.context.exec, sharded_ ? sharded_->parts() : training_.parts());
}

void Trainer::log_step() {
  const Device& exec = experiment_.context.exec;
  require_finite();
  const double epoch = double(step_) / double(experiment_.steps_per_epoch());
  const double rate = double(images_of_epoch_) / epoch_timer_.seconds();
  StepRecord record{
      .step = step_,
      .epoch = epoch,
      .rate = experiment_.rate(step_ - 1),
      .lambda = losses::lambda_at(experiment_.options.loss, double(step_ - 1) / double(experiment_.steps_per_epoch())),
      .loss = loss_of_step(),
      .images_per_second = rate,
      .share_of_peak = work_.share_of_peak(rate),
      .seconds = clock_.seconds(),
      .anchors = {}};
  if (experiment_.plan.outputs == losses::HeadOutputs::squared_distances &&
      worth_measuring(experiment_.model.anchors()))
    record.anchors = models::measure_anchors<Device, Real>(exec, experiment_.model.anchors());
  log_.write(record);
  progress_->show(step_, record.images_per_second,
                  fmt::format("epoch {:.2f}/{}  loss {:.3f}", epoch, experiment_.options.train.epochs,
                              record.loss[losses::LossPart::total]));
}

void Trainer::require_finite() {
  const Device& exec = experiment_.context.exec;
  const auto& parameters = experiment_.model.parameters();
  const bool loss_is_finite = all_finite(sums_.save(exec));
  if (loss_is_finite && kernels::all_finite<Device, Real>(exec, parameters.values())) {
    finite_until_ = step_;
    return;
  }
  const std::string place = place_not_finite();
  log_.write_end(step_, "not finite");
  progress_->clear();
  const bool saved = std::filesystem::exists(directory_.latest());
  throw NumericsError(
      fmt::format("training, steps {} to {}", finite_until_ + 1, step_),
      fmt::format("a finite loss and finite weights; {}. A smaller train.lr or a longer warm-up may help",
                  saved ? "the last good state is " + directory_.latest().string() : "nothing was saved yet"),
      fmt::format("NaN or infinity, seen {}", place));
}

std::string Trainer::place_not_finite() const {
  const auto& parameters = experiment_.model.parameters();
  const Device& exec = experiment_.context.exec;
  std::string place = experiment_.model.network().first_not_finite(exec, images_of_pass_);
  for (std::size_t id = 0; id < parameters.entries().size() && place.empty(); ++id)
    if (!kernels::all_finite<Device, Real>(exec, parameters.values(int(id))))
      place = parameters.entries()[id].spec.name;
  if (place.empty()) place = "the loss";
  if (experiment_.ranks.size() == 1) return "in " + place;
  // All ranks find this out in the same step; the one whose own shards failed first is to be named.
  const std::vector<std::uint64_t> steps = experiment_.ranks.gather_values(sharded_->first_step_not_finite());
  const auto places = experiment_.ranks.gather(std::as_bytes(std::span(place)));
  const auto first = static_cast<std::size_t>(std::min_element(steps.begin(), steps.end()) - steps.begin());
  const std::string there(reinterpret_cast<const char*>(places[first].data()), places[first].size());
  return fmt::format("on rank {} of {}, in {}", first, steps.size(), there);
}

void Trainer::require_equal_weights(const std::string& sha256) const {
  const auto all = experiment_.ranks.gather(std::as_bytes(std::span(sha256)));
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw NumericsError("training", "the same weights on every rank",
                          fmt::format("others on rank {} after step {}", rank, step_));
}

void Trainer::save() {
  require_finite();
  write_on_root([&] { save_latest(directory_, checkpoint()); });
}

void Trainer::end_epoch() {
  require_finite();
  const TrainOptions& options = experiment_.options.train;
  const double seconds = epoch_timer_.seconds();
  const double rate = double(images_of_epoch_) / seconds;
  const EpochRecord record{.epoch = epochs_done(),
                           .step = step_,
                           .seconds = seconds,
                           .images_per_second = rate,
                           .gigaflop_per_second = work_.gigaflop_per_second(rate),
                           .share_of_peak = work_.share_of_peak(rate),
                           .loss = sums_.means(experiment_.context.exec)};
  log_.write(record);
  progress_->clear();
  experiment_.context.log.info(
      "train", "epoch {}/{}: loss {:.4f}, accuracy {:.4f}, {:.0f} img/s ({:.0f} % of peak), {}", record.epoch,
      options.epochs, record.loss[losses::LossPart::total], record.loss[losses::LossPart::accuracy], rate,
      100 * record.share_of_peak, duration_text(seconds));
  sums_.clear(experiment_.context.exec);
  // Before the evaluation, which may take long: whoever resumes at the end of an epoch evaluates it first.
  save();
  if (options.checkpoint_every > 0 && epochs_done() % options.checkpoint_every == 0)
    write_checkpoint(directory_.of_epoch(epochs_done()));
}

bool Trainer::evaluate_if_due() {
  const int every = experiment_.options.train.eval_every;
  bool last = step_ == experiment_.total_steps();
  if (!last && (every == 0 || epochs_done() % every != 0)) return false;
  if (validation_) last = validate() || last;
  if (test_) test(last ? Keep::outputs : Keep::scores);
  return last;
}

bool Trainer::validate() {
  TestScores scores;
  scores.known = validation_->run(experiment_.context.exec, inference_, Keep::scores);
  const auto values = mean_metrics(scores, experiment_.plan.classes);
  log_.write(EvalRecord{"validation", epochs_done(), step_, experiment_.plan.default_score, values});
  const double accuracy = find(values, "accuracy");
  experiment_.context.log.info("train", "validation: accuracy {:.4f}", accuracy);
  if (best_.take(accuracy, epochs_done())) write_checkpoint(directory_.best());
  const int patience = experiment_.options.train.patience;
  if (!best_.is_out_of_patience(epochs_done(), patience)) return false;
  experiment_.context.log.info("train", "ends after epoch {}: none of the last {} was better than epoch {}",
                               epochs_done(), patience, best_.epoch());
  return true;
}

void Trainer::test(const Keep keep) {
  const TestScores scores = test_->run(experiment_.context.exec, inference_, keep);
  if (!is_root()) return;
  if (keep != Keep::scores)
    manifest_.set("sha256.test_logits", scores.outputs_sha256(std::size_t(experiment_.model.columns())));
  const auto values = mean_metrics(scores, experiment_.plan.classes);
  log_.write(EvalRecord{"eval", epochs_done(), step_, experiment_.plan.default_score, values});
  experiment_.context.log.info("train", "test: accuracy {:.4f}, AUROC {:.4f}, OSCR area {:.4f}",
                               find(values, "accuracy"), find(values, "auroc"), find(values, "oscr_area"));
}

void Trainer::finish() {
  const std::string weights = weights_sha256(save_model(experiment_.context.exec, experiment_.model));
  if (experiment_.ranks.size() > 1) require_equal_weights(weights);
  manifest_.set("sha256.final_weights", weights);
  manifest_.set("steps", step_);
  manifest_.set("time_utc_end", utc_now());
  write_on_root([this] { manifest_.write(directory_.manifest()); });
  log_.write_end(step_, "done");
}

}  // namespace bcr::train
