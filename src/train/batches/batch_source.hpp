#ifndef BCR_SRC_TRAIN_BATCHES_BATCH_SOURCE_HPP
#define BCR_SRC_TRAIN_BATCHES_BATCH_SOURCE_HPP

#include "src/train/batches/data_options.hpp"
#include "src/train/batches/loader.hpp"

#include <optional>
#include <vector>

namespace bcr::train {

/// The part of every global batch that one rank or shard draws. Parts follow each other, so that all of them together
/// are the global batch.
struct Shard {
  int index = 0;
  int count = 1;

  bool operator==(const Shard&) const = default;

  /// Images [n index / count, n (index + 1) / count) of n.
  PositionRange of(const PositionRange whole) const;
};

/// Which positions a training step draws.
struct BatchPlan {
  std::uint64_t known_count = 0;
  std::size_t known_batch = 128;
  std::size_t background_batch = 128;
  LastBatch last_batch = LastBatch::keep;
  Shard shard{};
  int own_shards = 1;    ///< drawn here: this one and those that follow it
  int held_at_once = 1;  ///< of these, in memory side by side: 1 or all

  /// Throws a ConfigError for an empty set or batch, a shard that does not exist, or an epoch without a step.
  void require_valid() const;

  std::uint64_t steps_per_epoch() const;
  /// Each known image once in an epoch; the last batch of an epoch may be smaller. Of own shard number `own`.
  PositionRange known_range(std::uint64_t step, int own = 0) const;
  /// Always a full batch, from wherever the step before ended: the background has passes of its own.
  PositionRange background_range(std::uint64_t step, int own = 0) const;
  /// Known images of the whole batch of a step.
  PositionRange whole_known_range(std::uint64_t step) const;
};

/// Where a shard lies in the batch of its step.
struct BatchPlace {
  std::size_t known_first = 0;
  std::size_t background_first = 0;
  std::size_t known_of_batch = 0;
  std::size_t background_of_batch = 0;
};

/// One training step's samples, or a shard of them. The Views belong to the source and change at a later load.
template <class Exec, class T>
struct StepBatch {
  std::uint32_t epoch = 0;
  BatchPlace place;
  nn::Tensors<Exec, T> inputs;     ///< images [B_k + B_b, H, W, C] or tokens [B_k + B_b, L]: known, then background;
                                   ///< and "labels"
  std::size_t rows = 0;            ///< B_k + B_b
  nn::Tensor<Exec, T> known;       ///< the front of the inputs
  Labels<Exec> labels;             ///< [B_k]
  nn::Tensor<Exec, T> background;  ///< the rest of them; empty without background

  /// All of a batch: as many known images as there are labels, then background.
  static StepBatch whole(const Tensor4<T, Exec>& images, const Labels<Exec>& labels) {
    StepBatch batch;
    batch.inputs = images;
    batch.rows = images.extent(0);
    batch.labels = labels;
    batch.inputs.set("labels", nn::Tokens<Exec>(labels.data(), labels.extent(0), 1));
    batch.place = {.known_of_batch = labels.extent(0), .background_of_batch = batch.rows - labels.extent(0)};
    return batch;
  }
};

/// Known and background batches side by side. The batch of a global step is a function of the seed, the data and the
/// plan: not of threads, devices, residence, or the step at which one began. Steps may be asked for in any order;
/// ascending is fastest, since the next one is gathered ahead.
template <class Exec, class T>
class BatchSource {
 public:
  BatchSource(const Exec& exec, Loader<Exec, T> known, std::optional<Loader<Exec, T>> background,
              const BatchPlan& plan);

  const BatchPlan& plan() const noexcept { return plan_; }
  bool has_background() const noexcept { return background_.has_value(); }
  /// Samples of the largest batch, or shard of one.
  std::size_t most_samples() const { return inputs_.front().rows(); }

  /// Own shard number `own`; held until as many others have been loaded as are held at once. Asynchronous on exec.
  StepBatch<Exec, T> load(const Exec& exec, std::uint64_t step, int own = 0);

  /// Tokens of the whole batch of a step, on all ranks, without padding; none of images.
  std::uint64_t tokens(std::uint64_t step) const;
  /// Samples that were fetched from scratch files: those of the own shards, and of the next one ahead.
  std::uint64_t samples_fetched() const;
  /// Time spent waiting for samples to be fetched.
  double seconds_waited() const;

 private:
  BatchPlan plan_;
  Loader<Exec, T> known_;
  std::optional<Loader<Exec, T>> background_;
  std::vector<nn::Tensor<Exec, T>> inputs_;  ///< one for each shard that is held
  std::vector<Labels<Exec>> known_labels_;
};

}  // namespace bcr::train

#endif
