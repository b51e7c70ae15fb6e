#ifndef BCR_SRC_TRAIN_SHARDS_SHARDED_STEP_HPP
#define BCR_SRC_TRAIN_SHARDS_SHARDED_STEP_HPP

#include "src/comm/shard_layout.hpp"
#include "src/train/shards/gradient_join.hpp"
#include "src/train/shards/shard_options.hpp"
#include "src/train/shards/statistics_join.hpp"
#include "src/train/training_step.hpp"

#include <limits>
#include <optional>
#include <vector>

namespace bcr::train {

/// What all ranks know of a step after it.
struct StepAgreement {
  bool stop = false;   ///< some rank was asked to stop
  bool finite = true;  ///< the loss of the batch
};

/// One step of training on a batch that is cut into shards, which lie on one or more ranks. Every shard is computed as
/// if it were alone; gradients, parts of the loss and sums of batch norms are joined by the tree over shards; means are
/// taken over the whole batch. So no bit depends on the number of ranks, and a single shard is a TrainingStep.
///
///   BatchNormScope::shard   the shards of a rank run one after the other, in the memory of one; batch norm takes the
///                           statistics of the shard, and the running ones take in those of the whole batch;
///   BatchNormScope::global  they run side by side, operation by operation, and batch norm takes the statistics of the
///                           whole batch.
template <class Exec, class T>
class ShardedStep {
 public:
  struct Parts {
    models::Model<Exec, T>& model;
    losses::Loss<Exec, T>& loss;
    optim::Optimizer<Exec, T>& optimizer;
    comm::Communicator& ranks;
  };

  /// All parts must outlive the step.
  ShardedStep(const Parts& parts, const comm::ShardLayout& layout, const ShardOptions& options);

  /// `stop`: whether this rank was asked to stop. Waits for exec if there are several ranks.
  StepAgreement run(const Exec& exec, BatchSource<Exec, T>& batches, const StepSettings& settings, bool stop,
                    RegionClock<Exec>& clock);

  /// The parts of the loss of the last batch.
  ConstVector<double, Exec> parts() const {
    return ConstVector<double, Exec>(totals_.result().data() + statistics_, losses::loss_part_count);
  }
  /// Of the last step.
  std::size_t known_images() const noexcept { return known_images_; }
  std::size_t images() const noexcept { return images_; }
  std::size_t images_of_last_shard() const noexcept { return last_shard_; }
  /// The first step in which the loss of a shard of this rank was not finite; only known if there are several ranks.
  std::uint64_t first_step_not_finite() const noexcept { return first_not_finite_; }

 private:
  using Batch = StepBatch<Exec, T>;

  void run_one_by_one(const Exec& exec, BatchSource<Exec, T>& batches, const StepSettings& settings,
                      RegionClock<Exec>& clock);
  void run_side_by_side(const Exec& exec, BatchSource<Exec, T>& batches, const StepSettings& settings,
                        RegionClock<Exec>& clock);
  void run_head(const Exec& exec, const Batch& batch, const Matrix<T, Exec>& features, double lambda, int shard,
                int place);
  StepAgreement join_totals(const Exec& exec, std::uint64_t step, bool stop);
  void note(const Batch& batch);

  Parts with_;
  comm::ShardLayout layout_;
  ShardOptions options_;
  Matrix<T, Exec> diff_outputs_;
  Vector<T, Exec> diff_features_factor_;
  GradientJoin<Exec, T> gradients_;
  std::size_t statistics_;          ///< sums of all batch norms
  ShardSums<Exec, double> totals_;  ///< these, then the parts of the loss, then the wish to stop
  TreeJoin<Exec, double> totals_join_;
  StatisticsJoin<Exec> statistics_join_;
  std::optional<nn::LockStep<Exec, T>> lock_step_;  ///< only with BatchNormScope::global
  std::size_t known_images_ = 0;
  std::size_t images_ = 0;
  std::size_t last_shard_ = 0;
  std::uint64_t first_not_finite_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace bcr::train

#endif
