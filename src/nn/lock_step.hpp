#ifndef BCR_SRC_NN_LOCK_STEP_HPP
#define BCR_SRC_NN_LOCK_STEP_HPP

#include "src/nn/network.hpp"

#include <span>
#include <vector>

namespace bcr::nn {

/// One shard of a batch on its way through the network.
template <class Exec, class T>
struct ShardPass {
  PassInfo pass;
  Tensors<Exec, T> inputs;
};

/// Adds the batch-norm sums of all shards of a batch, those of other ranks included.
template <class Exec>
class SumJoin {
 public:
  virtual ~SumJoin() = default;
  /// shard_sums [shards of this rank, n], packed; contents undefined afterwards. Returns the joined sums [n], valid
  /// until the next call.
  virtual Vector<double, Exec> join(const Exec& exec, const Matrix<double, Exec>& shard_sums) = 0;
};

/// Takes the shards of a rank through a network side by side, operation by operation, so that batch norm sees the
/// statistics of the whole batch. All else is done shard by shard, exactly as if the shard were alone: no bit depends
/// on which rank holds it. The network must have been made for as many shards at once.
template <class Exec, class T>
class LockStep {
 public:
  /// Both must outlive this. `shards` of this rank.
  LockStep(Network<Exec, T>& network, SumJoin<Exec>& join, int shards);

  /// images_of_batch: those of all shards of all ranks.
  void forward(const Exec& exec, std::span<const ShardPass<Exec, T>> passes, double images_of_batch);
  /// The outputs of shard number `index`.
  Tensors<Exec, T> outputs(const ShardPass<Exec, T>& shard, int index) const;

  /// From network.diff(output, n, s) of all shards.
  void backward(const Exec& exec, std::span<const ShardPass<Exec, T>> passes, double images_of_batch,
                GradientListener& listener);

 private:
  using Shard = typename Network<Exec, T>::Shard;

  std::vector<Shard> shards_of(std::span<const ShardPass<Exec, T>> passes) const;
  Matrix<double, Exec> sums_of(int shard, int channels) const;
  Matrix<double, Exec> joined(const Exec& exec, int shards, int channels);
  void forward_statistics(const Exec& exec, std::span<const ShardPass<Exec, T>> passes,
                          const std::vector<Shard>& shards, int operation, double images);
  void backward_statistics(const Exec& exec, std::span<const ShardPass<Exec, T>> passes,
                           const std::vector<Shard>& shards, int operation, double images, GradientListener& listener);
  void backward_shard(const Exec& exec, const PassInfo& pass, const Shard& shard, int operation,
                      GradientListener& listener);

  Network<Exec, T>& network_;
  SumJoin<Exec>& join_;
  Vector<double, Exec> sums_;
};

}  // namespace bcr::nn

#endif
