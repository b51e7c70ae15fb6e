#include "src/train/shards/shard_sums.hpp"

#include "kernels/norm/elementwise.hpp"
#include "src/core/instances.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace bcr::train {
namespace {

/// Nodes that wait for their right neighbour when this shard comes: one for every bit of its number.
int open_nodes(const int shard) {
  return std::popcount(static_cast<unsigned>(shard));
}

template <class Exec, class T>
Vector<T, Exec> range_of(const Vector<T, Exec>& array, const std::size_t begin, const std::size_t end) {
  return Vector<T, Exec>(array.data() + begin, end - begin);
}

}  // namespace

template <class Exec, class T>
ShardSums<Exec, T>::ShardSums(const Vector<T, Exec>& first, const int shards) : shards_(shards), arrays_{first} {
  require<ShapeError>(shards > 0, "ShardSums", "at least one shard", std::to_string(shards));
  int most = 0;
  for (int shard = 0; shard < shards; ++shard) most = std::max(most, open_nodes(shard));
  for (int i = 0; i < most; ++i) arrays_.emplace_back("bcr::train::shard_sums", first.extent(0));
}

template <class Exec, class T>
const Vector<T, Exec>& ShardSums<Exec, T>::array_of(const int shard) const {
  return arrays_.at(static_cast<std::size_t>(open_nodes(shard)));
}

template <class Exec, class T>
void ShardSums<Exec, T>::add(const Exec& exec, const int shard, const std::size_t begin, const std::size_t end) {
  if (begin == end) return;
  int right = open_nodes(shard);  // the array of the youngest node
  const auto join = [&] {
    const auto at = static_cast<std::size_t>(right);
    kernels::add<Exec, T>(exec, range_of<Exec, T>(arrays_[at], begin, end),
                          range_of<Exec, T>(arrays_[at - 1], begin, end));
    --right;
  };
  const int complete = std::countr_one(static_cast<unsigned>(shard));  // nodes that this shard is the last leaf of
  for (int i = 0; i < complete; ++i) join();
  if (shard + 1 == shards_)
    while (right > 0) join();  // NOLINT(bugprone-infinite-loop): join counts
}

template <class Exec, class T>
void join_rows(const Exec& exec, const Matrix<T, Exec>& rows) {
  const int count = rows.extent_int(0);
  const std::size_t length = rows.extent(1);
  const auto row = [&](const int k) { return Vector<T, Exec>(rows.data() + std::size_t(k) * length, length); };
  for (int stride = 1; stride < count; stride *= 2)
    for (int k = 0; k + stride < count; k += 2 * stride) kernels::add<Exec, T>(exec, row(k + stride), row(k));
}

#define BCR_INSTANCE(Exec, T)        \
  template class ShardSums<Exec, T>; \
  template void join_rows<Exec, T>(const Exec&, const Matrix<T, Exec>&);
BCR_FOR_EACH_EXEC_AND_REAL(BCR_INSTANCE)
#undef BCR_INSTANCE

}  // namespace bcr::train
