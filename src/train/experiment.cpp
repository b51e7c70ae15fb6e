#include "src/train/experiment.hpp"

#include "src/train/data_record.hpp"
#include "src/train/fast_mode.hpp"
#include "src/train/rank_agreement.hpp"
#include "src/train/run_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bcr::train {
namespace {

RunOptions checked(RunOptions options) {
  require_consistent(options);
  require_library(options);
  return options;
}

/// What decides a run's bits before its first step, on whatever paths this rank has found it.
std::string decisive_lines(const RunOptions& options, const OpenData& data) {
  std::string lines;
  for (const auto& [key, value] : settings_of(to_toml(options), "the configuration"))
    if (!is_a_place(key)) lines += fmt::format("{} = {}\n", key, value);
  return lines + digest_lines(data);
}

/// A background term without images to apply it to would be silently nothing.
OpenData open_for_training(const RunOptions& options, const Log& log, comm::Communicator& ranks) {
  OpenData data = open_data_of_run(options, options.data.known_test.empty() ? DataUse::train : DataUse::both);
  const bool reads_background =
      losses::all_losses().find(options.loss.name).reads == losses::LossEntry::Reads::background;
  if (reads_background && data.background.count() == 0)
    throw ConfigError("loss.name = " + options.loss.name, "a split with background classes, or loss.name = none",
                      "a split without");
  verify_old_files(data, log);
  warn_of_shared_images(data, log);
  warn_of_different_fits(data, log);
  require_same_on_all_ranks(ranks, "configuration and data", decisive_lines(options, data));
  return data;
}

/// Batch norm over the global batch needs the shards of a rank side by side.
int shards_at_once(const RunOptions& options, const comm::ShardLayout& shards) {
  return options.train.sharding.batch_norm == BatchNormScope::global ? shards.count : 1;
}

DrawnShards drawn_shards(const RunOptions& options, const comm::ShardLayout& shards) {
  return {.first = {shards.first, shards.shards}, .own = shards.count, .held_at_once = shards_at_once(options, shards)};
}

nn::NetworkSettings network_settings(const RunOptions& options, const comm::ShardLayout& shards,
                                     const BatchSource<Device, Real>& batches) {
  return {.mode = options.mode,
          .precision = nn::resolved_precision<Device>(options.mode, options.fast),
          .training_images = static_cast<int>(batches.most_samples()),
          .inference_images = options.train.eval_batch,
          .shards_at_once = shards_at_once(options, shards),
          .learned = options.train.learned};
}

optim::ParameterLayout make_layout(const nn::ParameterStore<Device, Real>& parameters, const TrainOptions& options) {
  optim::ParameterLayout layout{
      .arena_size = parameters.values().size(),
      .slices = parameters.slices(),
      .groups = {{.name = "default", .weight_decay = options.weight_decay, .momentum = options.momentum},
                 {.name = "anchors",
                  .weight_decay = options.anchor_weight_decay.value_or(options.weight_decay),
                  .momentum = options.momentum}}};
  for (const std::string& name : options.learned)
    if (std::ranges::none_of(layout.slices, [&](const auto& slice) { return slice.name.starts_with(name); }))
      throw ConfigError("train.learned", "beginnings of names of parameters, such as " + layout.slices.front().name, name);
  std::erase_if(layout.slices, [&](const auto& slice) { return !nn::is_learned(options.learned, slice.name); });
  return layout;
}

optim::WarmupCosine make_schedule(const TrainOptions& options, const std::uint64_t steps_per_epoch) {
  const auto steps = [&](const int epochs) { return static_cast<std::uint64_t>(epochs) * steps_per_epoch; };
  return optim::WarmupCosine({.rate = options.lr,
                              .minimum = options.lr_min,
                              .warmup_steps = steps(options.warmup_epochs),
                              .total_steps = steps(options.schedule_epochs.value_or(options.epochs)),
                              .steps_held = options.lr_changes == optim::RateChange::every_epoch ? steps_per_epoch : 0});
}

}  // namespace

OpenData open_data_of_run(const RunOptions& options, const DataUse use) {
  OpenData data = open_data(options.data, use, options.seed);
  if (!draws_background(options)) data.background = {};
  return data;
}

ModelPlan plan_model(const RunOptions& options, const OpenData& data) {
  const Dataset& known = data.known_train.count() > 0 ? data.known_train : data.known_test;
  const auto [height, width, channels] = known.extents();
  const models::BackboneOptions& backbone = options.model.backbone;
  const bool reads_texts = models::backbones().find(backbone.name).input == models::BackboneInput::tokens;
  if (known.holds_texts() != reads_texts)
    throw ConfigError("model.name = " + backbone.name, reads_texts ? "texts" : "images (gru reads texts)",
                      (known.holds_texts() ? "texts in " : "images in ") + known.pieces().front().file->path());
  if (known.holds_texts() && data.vocabulary.size() > static_cast<std::size_t>(backbone.vocabulary))
    throw ConfigError("model.vocabulary", fmt::format("{} tokens or more: data.text.words and two that are no words",
                                                      data.vocabulary.size()),
                      std::to_string(backbone.vocabulary));
  if (options.model.backbone.name == "vgg" && (height % 8 != 0 || width % 8 != 0))
    throw ConfigError("model.name = vgg", "images whose height and width 8 divides",
                      fmt::format("{}x{}", height, width));
  return plan_model(options, {static_cast<int>(height), static_cast<int>(width), static_cast<int>(channels)},
                    static_cast<int>(known.pieces().front().selection.classes.size()));
}

ModelPlan plan_model(const RunOptions& options, const nn::ImageShape& sample, const int classes) {
  ModelPlan plan;
  plan.classes = classes;
  plan.outputs = models::head_outputs(options.model.head);
  plan.shape = {sample, losses::output_columns(options.loss, plan.classes)};
  plan.default_score = losses::default_score(options.loss, plan.outputs);
  return plan;
}

losses::ScoreShape score_shape(const RunOptions& options, const ModelPlan& plan, const int features,
                               const int latents) {
  return {.outputs = plan.outputs,
          .classes = plan.classes,
          .features = features,
          .logit_scale = options.loss.logit_scale,
          .latents = latents};
}

losses::ScoreShape score_shape(const RunOptions& options, const ModelPlan& plan,
                               const models::Model<Device, Real>& model) {
  losses::ScoreShape shape = score_shape(options, plan, model.features(), model.latents());
  shape.moves_images = model.network().writes_input_gradients();
  shape.is_gaussian = model.has_output("top");
  shape.is_conditioned = model.has_output("reconstructions");
  return shape;
}

SampleSource samples_of_files(const RunOptions& options, const Log& log, comm::Communicator& ranks) {
  require_consistent(options);
  SampleSource samples{.data = open_for_training(options, log, ranks), .plan = {}, .make_batches = {}};
  samples.plan = plan_model(options, samples.data);
  samples.make_batches = [how = options.data](const Context<Device>& context, const OpenData& data,
                                              const DrawnShards& drawn, comm::Communicator& readers) {
    return make_batch_source<Device, Real>(context, data, how, drawn, readers);
  };
  return samples;
}

Experiment::Experiment(const RunOptions& run_options, const Log& log, comm::Communicator& communicator)
    : Experiment(run_options, samples_of_files(run_options, log, communicator), log, communicator) {}

Experiment::Experiment(const RunOptions& run_options, SampleSource samples, const Log& log,
                       comm::Communicator& communicator)
    : options(checked(run_options)),
      ranks(communicator),
      shards(comm::make_shard_layout(options.train.sharding.shards, ranks.size(), ranks.rank())),
      context{.exec = {}, .seed = options.seed, .log = log},
      data(std::move(samples.data)),
      plan(std::move(samples.plan)),
      batches(samples.make_batches(context, data, drawn_shards(options, shards), ranks)),
      model(options.model, plan.shape, network_settings(options, shards, batches), options.seed, context.exec, log,
            [this](nn::ParameterStore<Device, Real>& parameters, const int features) {
              objective = losses::make_objective<Device, Real>(
                  options.loss, {.outputs = plan.outputs,
                                 .classes = plan.classes,
                                 .features = features,
                                 .most_rows = static_cast<int>(batches.most_samples())});
              objective->add_parameters(parameters);
            }),
      optimizer(
          optim::make_optimizer<Device, Real>(options.train.optimizer, make_layout(model.parameters(), options.train))),
      rate(make_schedule(options.train, steps_per_epoch())) {
  if (!options.train.start_from.empty()) start = start_from(context.exec, options.train, data, model, log);
}

TrainingStep<Device, Real> Experiment::make_step() {
  return TrainingStep<Device, Real>({model, *objective, *optimizer, ranks}, shards, options.train.sharding);
}

std::string Experiment::summary() const {
  const std::size_t numbers = model.parameters().count();
  const double mac = model.network().graph().multiply_accumulates();
  const double memory = double(model.network().memory_bytes()) + 4.0 * double(numbers) * sizeof(Real);
  std::string text;
  const auto line = [&text](const std::string_view what, const std::string& value) {
    text += fmt::format("{:<12}{}\n", what, value);
  };
  line("model", model.description());
  line("parameters", fmt::format("{}", numbers));
  line("work", fmt::format("{:.1f} MMAC per image forward, about {:.1f} GFLOP per step", 1e-6 * mac,
                           6e-9 * mac * double(batches.most_samples()) * shards.shards));
  line("memory", fmt::format("{:.1f} MiB without images", memory / (1 << 20)));
  if (shards.shards > 1)
    line("shards",
         fmt::format("{} of a batch, {} on each of {} ranks, batch norm: {}", shards.shards, shards.count, ranks.size(),
                     options.train.sharding.batch_norm == BatchNormScope::global ? "global" : "shard"));
  if (start) line("start", fmt::format("{} tensors of {}", start->taken, start->file));
  line("loss", fmt::format("{}, lambda {}", objective->name(), losses::lambda_at(options.loss, 1e9)));
  line("known", fmt::format("{} images of {} classes, batch {}", data.known_train.count(), plan.classes,
                            options.data.known.batch));
  if (data.validation.count() > 0) line("validation", fmt::format("{} images", data.validation.count()));
  line("background", data.background.count() == 0
                         ? std::string("none")
                         : fmt::format("{} images, batch {}", data.background.count(), options.data.background.batch));
  line("test", has_test_data()
                   ? fmt::format("{} known images, {} unknown sets", data.known_test.count(), data.unknown_test.size())
                   : std::string("none"));
  line("steps", fmt::format("{} in {} epochs of {}", total_steps(), options.train.epochs, steps_per_epoch()));
  return text;
}

}  // namespace bcr::train
