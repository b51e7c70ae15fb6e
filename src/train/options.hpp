#ifndef BCR_SRC_TRAIN_OPTIONS_HPP
#define BCR_SRC_TRAIN_OPTIONS_HPP

#include "losses/options.hpp"
#include "models/model.hpp"
#include "src/core/config.hpp"
#include "src/nn/mode.hpp"
#include "src/optim/registry.hpp"
#include "src/optim/learning_rate.hpp"
#include "src/train/batches/data_options.hpp"
#include "src/train/eval_options.hpp"
#include "src/train/shards/shard_options.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// The section [train].
struct TrainOptions {
  int epochs = 100;
  double lr = 0.1;
  double lr_min = 1e-6;
  int warmup_epochs = 5;
  std::optional<int> schedule_epochs;
  optim::RateChange lr_changes = optim::RateChange::every_step;
  std::string optimizer = "sgd";
  double momentum = 0.9;
  double weight_decay = 5e-4;
  std::optional<double> anchor_weight_decay;
  int eval_every = 1;
  int patience = 0;
  int eval_batch = 256;
  int checkpoint_every = 0;
  int save_every = 0;
  int log_every = 50;
  int hash_every = 0;
  std::filesystem::path start_from;
  std::vector<std::string> learned;
  ShardOptions sharding;
};

template <class V>
void describe(V& v, TrainOptions& o) {
  v("epochs", o.epochs, "passes over the known training images", must_be::at_least(1));
  v("lr", o.lr, "learning rate after the warm-up", must_be::positive());
  v("lr_min", o.lr_min, "learning rate at the end of the cosine", must_be::not_negative());
  v("warmup_epochs", o.warmup_epochs, "epochs in which the rate grows linearly", must_be::not_negative());
  v("schedule_epochs", o.schedule_epochs, "epochs at which the cosine would end; if absent: epochs",
    must_be::at_least(1));
  v("lr_changes", o.lr_changes, "when the cosine moves on: every-step or every-epoch");
  v("optimizer", o.optimizer, "sgd has Nesterov's momentum, sgd-classical Polyak's",
    must_be::one_of(optim::all_optimizers().names()));
  v("momentum", o.momentum, "momentum of sgd, beta1 of adam", must_be::fraction_below_one());
  v("weight_decay", o.weight_decay, "added to the gradient, times the weight", must_be::not_negative());
  v("anchor_weight_decay", o.anchor_weight_decay, "the same for anchors; if absent: weight_decay",
    must_be::not_negative());
  v("eval_every", o.eval_every, "epochs between evaluations on validation and test sets; 0: only the last",
    must_be::not_negative());
  v("patience", o.patience, "epochs without a better accuracy on data.validation after which training ends; 0: never",
    must_be::not_negative());
  v("eval_batch", o.eval_batch, "images in a batch of an evaluation", must_be::at_least(1));
  v("checkpoint_every", o.checkpoint_every, "epochs between checkpoints that are kept; 0: none",
    must_be::not_negative());
  v("save_every", o.save_every, "steps between renewals of checkpoint-latest.h5; 0: at the end of each epoch",
    must_be::not_negative());
  v("log_every", o.log_every, "steps between lines of train.jsonl", must_be::at_least(1));
  v("hash_every", o.hash_every, "steps between SHA-256 of the weights in train.jsonl; 0: none",
    must_be::not_negative());
  v("start_from", o.start_from, "run directory or checkpoint: weights begin as its tensors of the same name and shape");
  v("learned", o.learned,
    "beginnings of the names of what learns, such as [\"head\"]; the rest stays as start_from has it. []: everything");
  describe(v, o.sharding);
}

/// Everything a run is made from. The resolved configuration is the text of this.
struct RunOptions {
  std::uint64_t seed = 1;
  nn::Mode mode = nn::Mode::strict;
  nn::FastOptions fast;
  DataOptions data;
  models::ModelOptions model;
  losses::LossOptions loss;
  TrainOptions train;
  EvalOptions eval;
};

template <class V>
void describe(V& v, RunOptions& o) {
  v("seed", o.seed, "of weights, orders, augmentation and dropout");
  v("mode", o.mode, "strict: the same bits everywhere; fast: convolutions by the vendor's library");
  v("fast", o.fast, "what fast mode may do");
  v("data", o.data, "images and classes");
  v("model", o.model, "the network");
  v("loss", o.loss, "what training minimises");
  v("train", o.train, "the training loop");
  v("eval", o.eval, "what bcr-eval computes");
}

/// Whether batches hold background images, if the split has any.
bool draws_background(const RunOptions& options);

/// What no single key can say: combinations that cannot work. ConfigErrors that name the keys.
void require_consistent(const RunOptions& options);

}  // namespace bcr::train

#endif
