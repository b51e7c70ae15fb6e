#include "src/train/options.hpp"

#include "losses/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bcr::train {
namespace {

void require_schedule(const TrainOptions& train) {
  const int length = train.schedule_epochs.value_or(train.epochs);
  if (length < train.epochs)
    throw ConfigError("train.schedule_epochs", fmt::format("at least train.epochs = {}", train.epochs),
                      std::to_string(length));
  if (train.warmup_epochs >= length)
    throw ConfigError("train.warmup_epochs", fmt::format("fewer than the {} epochs of the schedule", length),
                      fmt::format("{}: shorten the warm-up or train longer", train.warmup_epochs));
  if (train.lr_min > train.lr)
    throw ConfigError("train.lr_min", fmt::format("at most train.lr = {}", train.lr), fmt::format("{}", train.lr_min));
}

void require_fitting_head(const RunOptions& options) {
  const models::HeadOutputs outputs = models::head_outputs(options.model.head);
  const bool distances = outputs == models::HeadOutputs::squared_distances;
  if (losses::all_losses().find(options.loss.name).accepts(outputs)) return;
  throw ConfigError(fmt::format("loss.name = {}", options.loss.name),
                    fmt::format("model.head.name = {}", distances ? "linear" : "distance"), options.model.head.name);
}

/// Shards must be an exact partition of every batch.
void require_shards(const RunOptions& options) {
  const int shards = options.train.sharding.shards;
  const int smallest = draws_background(options) ? std::min(options.data.known.batch, options.data.background.batch)
                                                 : options.data.known.batch;
  if (shards > smallest)
    throw ConfigError("train.shards", fmt::format("at most the images of a batch, {}", smallest),
                      std::to_string(shards));
  const bool pairs_stay =
      options.data.known.batch == options.data.background.batch && options.data.last_batch == LastBatch::drop;
  if (shards > 1 && losses::all_losses().find(options.loss.name).pairs_rows && !pairs_stay)
    throw ConfigError("loss.name = " + options.loss.name + " with several shards",
                      "pairs of a known and a background image in one shard: data.known.batch = data.background.batch "
                      "and data.last_batch = drop",
                      fmt::format("batches of {} and {}{}", options.data.known.batch, options.data.background.batch,
                                  options.data.last_batch == LastBatch::drop ? "" : ", the last one kept"));
}

/// Nothing is ever chosen on test data.
void require_validation(const RunOptions& options) {
  if (options.train.patience == 0) return;
  if (options.data.validation == 0)
    throw ConfigError("train.patience", "data.validation, a fraction of the training images to measure by", "0");
  if (options.train.eval_every == 0) throw ConfigError("train.patience", "train.eval_every of at least 1", "0");
}

/// Documents cannot be reconstructed.
void require_decoder(const models::ModelOptions& model) {
  const bool reads_texts = models::backbones().find(model.backbone.name).input == models::BackboneInput::tokens;
  if (reads_texts && model.decoder.name != models::DecoderKind::none)
    throw ConfigError("model.decoder.name", "none for texts", "conditioned");
}

/// What does not learn must be worth keeping, and shards that run side by side have no frozen batch norms.
void require_start(const TrainOptions& train) {
  if (train.learned.empty()) return;
  if (train.start_from.empty())
    throw ConfigError("train.learned", "train.start_from, a run that has what does not learn", "none");
  if (train.sharding.batch_norm == BatchNormScope::global && train.sharding.shards > 1)
    throw ConfigError("train.learned", "train.batch_norm = shard", "global, with several shards");
}

}  // namespace

bool draws_background(const RunOptions& options) {
  return options.data.background_batches == BackgroundBatches::always ||
         losses::all_losses().find(options.loss.name).reads == losses::LossEntry::Reads::background;
}

void require_consistent(const RunOptions& options) {
  require_schedule(options.train);
  require_fitting_head(options);
  models::require_backbone(options.model.backbone, "model.");
  require_decoder(options.model);
  require_shards(options);
  require_validation(options);
  require_start(options.train);
  if (const auto check = losses::all_losses().find(options.loss.name).check) check(options.loss);
}

}  // namespace bcr::train
