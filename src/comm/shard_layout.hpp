#ifndef BCR_SRC_COMM_SHARD_LAYOUT_HPP
#define BCR_SRC_COMM_SHARD_LAYOUT_HPP

#include <vector>

namespace bcr::comm {

/// Which shards of every global batch a rank owns. Sums over shards follow the tree of neighbours,
///   (s_0 + s_1), (s_2 + s_3), ...; then neighbours of these; what is left over moves up,
/// and the shards of a rank are one node of this tree, so that what a rank sums alone is part of the same tree.
struct ShardLayout {
  int shards = 1;  ///< of the global batch
  int first = 0;   ///< of this rank
  int count = 1;   ///< of this rank

  bool operator==(const ShardLayout&) const = default;
};

/// The numbers of ranks that can share this many shards: 1, and those that give every rank 2^k shards.
std::vector<int> possible_ranks(int shards);

/// A ConfigError that names the possible numbers of ranks if this is none of them.
ShardLayout make_shard_layout(int shards, int ranks, int rank);

}  // namespace bcr::comm

#endif
