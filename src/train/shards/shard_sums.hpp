#ifndef BCR_SRC_TRAIN_SHARDS_SHARD_SUMS_HPP
#define BCR_SRC_TRAIN_SHARDS_SHARD_SUMS_HPP

#include "src/core/views.hpp"

#include <cstddef>
#include <vector>

namespace bcr::train {

/// Adds arrays of the shards of one rank, element by element, by the tree of neighbours (comm/shard_layout.hpp):
///   (s_0 + s_1), (s_2 + s_3), ...; then neighbours of these; what is left over moves up.
/// Shards come in ascending order, and each is written straight to the memory where it is added: one array for every
/// open node of the tree and one for the shard itself, at most log2(shards) + 1. An array may come in ranges, each of
/// which goes through all shards in ascending order.
template <class Exec, class T>
class ShardSums {
 public:
  /// `first`: the array to use for the first shard and the result.
  ShardSums(const Vector<T, Exec>& first, int shards);

  /// Where shard number `shard` is to be written, between the calls of add() for the shards before and after it.
  const Vector<T, Exec>& array_of(int shard) const;

  /// Range [begin, end) of this shard is written: joins it with what it is the right neighbour of. After the last
  /// shard, the range of result() is complete. Asynchronous on exec.
  void add(const Exec& exec, int shard, std::size_t begin, std::size_t end);

  const Vector<T, Exec>& result() const { return arrays_.front(); }
  int shards() const noexcept { return shards_; }

 private:
  int shards_;
  std::vector<Vector<T, Exec>> arrays_;
};

/// The same tree over the rows of a matrix, in place; the sum is row 0.
template <class Exec, class T>
void join_rows(const Exec& exec, const Matrix<T, Exec>& rows);

}  // namespace bcr::train

#endif
