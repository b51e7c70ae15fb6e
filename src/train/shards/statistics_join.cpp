#include "src/train/shards/statistics_join.hpp"

#include "src/core/instances.hpp"
#include "src/train/shards/shard_sums.hpp"

namespace bcr::train {

template <class Exec>
Vector<double, Exec> StatisticsJoin<Exec>::join(const Exec& exec, const Matrix<double, Exec>& shard_sums) {
  join_rows<Exec, double>(exec, shard_sums);
  if (clock_ != nullptr) clock_->end(region_);
  const Vector<double, Exec> sums(shard_sums.data(), shard_sums.extent(1));
  join_.run(exec, sums);
  if (clock_ != nullptr) clock_->end(Region::communication);
  return sums;
}

#define BCR_INSTANCE(Exec) template class StatisticsJoin<Exec>;
BCR_FOR_EACH_EXEC(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
