#ifndef BCR_SRC_TRAIN_TRAINING_STEP_HPP
#define BCR_SRC_TRAIN_TRAINING_STEP_HPP

#include "losses/objective.hpp"
#include "models/model.hpp"
#include "src/comm/shard_layout.hpp"
#include "src/optim/optimizer.hpp"
#include "src/train/batches/batch_source.hpp"
#include "src/train/region_clock.hpp"
#include "src/train/shards/gradient_join.hpp"
#include "src/train/shards/shard_options.hpp"
#include "src/train/shards/statistics_join.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace bcr::train {

/// What changes from step to step besides the samples.
struct StepSettings {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  double rate = 0;
  double lambda = 0;
};

/// What all ranks know of a step after it.
struct StepAgreement {
  bool stop = false;   ///< some rank was asked to stop
  bool finite = true;  ///< the loss of the batch; only looked at if there are several ranks
};

/// One step of training: a forward pass over known and background samples together (batch norm sees both), the head, the
/// objective, gradients, the update. A batch is cut into shards, which lie on one or more ranks; the textbook algorithm
/// is the case of one shard. Every shard is computed as if it were alone; gradients, numbers of the objective and sums
/// of batch norms are joined by the tree over shards; means are taken over the whole batch. So no bit depends on the
/// number of ranks.
///
///   BatchNormScope::shard   the shards of a rank run one after the other, in the memory of one; batch norm takes the
///                           statistics of the shard, and the running ones take in those of the whole batch;
///   BatchNormScope::global  they run side by side, operation by operation, and batch norm takes the statistics of the
///                           whole batch.
/// Asynchronous on exec if there is one rank, allocates nothing after the first step.
template <class Exec, class T>
class TrainingStep {
 public:
  struct Parts {
    models::Model<Exec, T>& model;
    losses::Objective<Exec, T>& objective;
    optim::Optimizer<Exec, T>& optimizer;
    comm::Communicator& ranks;
  };
  using Batch = StepBatch<Exec, T>;
  /// The samples of shard number `shard`, counted from the first of this rank.
  using Load = std::function<Batch(int shard)>;

  /// All parts must outlive the step. A ConfigError if the objective asks for a gradient by what the model does not give.
  explicit TrainingStep(const Parts& parts, const comm::ShardLayout& layout = {}, const ShardOptions& options = {});

  /// `stop`: whether this rank was asked to stop. Waits for exec if there are several ranks.
  StepAgreement run(const Exec& exec, const Load& load, const StepSettings& settings, bool stop,
                    RegionClock<Exec>& clock);

  /// The numbers of the objective of the last batch, named by Objective::numbers().
  ConstVector<double, Exec> numbers() const {
    return ConstVector<double, Exec>(totals_.result().data() + statistics_, number_count_);
  }
  /// Of the last step.
  std::size_t known_images() const noexcept { return known_images_; }
  std::size_t images() const noexcept { return images_; }
  std::size_t images_of_last_shard() const noexcept { return last_shard_; }
  /// The first step in which the loss of a shard of this rank was not finite; only known if there are several ranks.
  std::uint64_t first_step_not_finite() const noexcept { return first_not_finite_; }

 private:
  void run_one_by_one(const Exec& exec, const Load& load, const StepSettings& settings, RegionClock<Exec>& clock);
  void run_side_by_side(const Exec& exec, const Load& load, const StepSettings& settings, RegionClock<Exec>& clock);
  /// From what the backbone gave for a shard to the gradients of what it gave; `place`: of those it holds at once.
  void run_head(const Exec& exec, const Batch& batch, nn::Tensors<Exec, T> tensors, double lambda, int shard,
                int place);
  /// Where the objective writes, with zeros where it does not.
  nn::Tensors<Exec, T> gradients_of(const Exec& exec, std::size_t rows, int place) const;
  StepAgreement join_totals(const Exec& exec, std::uint64_t step, bool stop);
  void note(const Batch& batch);
  bool has_gradient_by(std::string_view tensor) const;

  Parts with_;
  comm::ShardLayout layout_;
  BatchNormScope batch_norm_;
  std::vector<std::string> differentiated_;  ///< by the objective
  std::size_t number_count_;
  Matrix<T, Exec> diff_outputs_;
  GradientJoin<Exec, T> gradients_;
  std::size_t statistics_;          ///< sums of all batch norms, if shards take their own and there are several
  ShardSums<Exec, double> totals_;  ///< these, then the numbers of the objective, then the wish to stop
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
