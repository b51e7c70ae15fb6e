#ifndef BCR_SRC_TRAIN_SHARDS_GRADIENT_JOIN_HPP
#define BCR_SRC_TRAIN_SHARDS_GRADIENT_JOIN_HPP

#include "src/nn/gradient_listener.hpp"
#include "src/nn/parameters.hpp"
#include "src/train/shards/shard_sums.hpp"
#include "src/train/shards/tree_join.hpp"

#include <vector>

namespace bcr::train {

/// The gradients of a batch from those of its shards, by the tree over shards. Listens to the backward passes of the
/// shards of this rank; a bucket of gradients is sent on as soon as the last shard has written it, while the pass goes
/// on with the layers before.
template <class Exec, class T>
class GradientJoin final : public nn::GradientListener {
 public:
  /// bucket_bytes 0: one bucket, sent when the backward pass is over. Both must outlive this.
  GradientJoin(nn::ParameterStore<Exec, T>& parameters, comm::Communicator& ranks, int shards,
               std::size_t bucket_bytes);
  ~GradientJoin() override;  // defined in the source, lest hipcc compiles that of the vector for the device too

  /// Before the first shard of a step.
  void begin_step(const Exec& exec);
  void begin_shard(int shard) override;
  void gradients_written(std::size_t from) override;
  /// After the last: parameters.gradients() are those of the whole batch, on every rank.
  void finish();

 private:
  struct Bucket {
    std::size_t begin;
    std::size_t end;
    TreeJoin<Exec, T> join;
  };

  void make_buckets(comm::Communicator& ranks, std::size_t bucket_bytes);
  Vector<T, Exec> gradients_of(const Bucket& bucket) const;

  nn::ParameterStore<Exec, T>& parameters_;
  ShardSums<Exec, T> sums_;
  std::vector<Bucket> buckets_;  ///< from the end of the array to its beginning; none on a single rank
  Exec exec_;
  int shard_ = 0;
  std::vector<std::size_t> written_;  ///< by shard: gradients from here on are written
  std::size_t started_ = 0;           ///< buckets that are under way
};

}  // namespace bcr::train

#endif
