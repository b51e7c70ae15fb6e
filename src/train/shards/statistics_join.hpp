#ifndef BCR_SRC_TRAIN_SHARDS_STATISTICS_JOIN_HPP
#define BCR_SRC_TRAIN_SHARDS_STATISTICS_JOIN_HPP

#include "src/nn/lock_step.hpp"
#include "src/train/region_clock.hpp"
#include "src/train/shards/tree_join.hpp"

namespace bcr::train {

/// Adds the batch-norm sums of all shards in the middle of a pass, by the tree over shards.
template <class Exec>
class StatisticsJoin final : public nn::SumJoin<Exec> {
 public:
  /// `most` sums of a shard at once.
  StatisticsJoin(comm::Communicator& ranks, const std::size_t most) : join_(ranks, most) {}

  /// Time until here belongs to `region`, the time of a join to Region::communication. The clock must outlive the pass.
  void watch(RegionClock<Exec>& clock, const Region region) {
    clock_ = &clock;
    region_ = region;
  }

  Vector<double, Exec> join(const Exec& exec, const Matrix<double, Exec>& shard_sums) override;

 private:
  TreeJoin<Exec, double> join_;
  RegionClock<Exec>* clock_ = nullptr;
  Region region_ = Region::forward;
};

}  // namespace bcr::train

#endif
