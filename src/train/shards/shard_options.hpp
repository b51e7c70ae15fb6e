#ifndef BCR_SRC_TRAIN_SHARDS_SHARD_OPTIONS_HPP
#define BCR_SRC_TRAIN_SHARDS_SHARD_OPTIONS_HPP

#include "src/core/config.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace bcr::train {

/// Whose statistics batch norm takes in training.
enum class BatchNormScope { shard, global };

constexpr auto enum_names(BatchNormScope) {
  return std::array{std::pair{std::string_view("shard"), BatchNormScope::shard},
                    std::pair{std::string_view("global"), BatchNormScope::global}};
}

/// The keys of [train] that say how a batch is cut and joined. The first two are part of the algorithm, the others
/// change no bit.
struct ShardOptions {
  int shards = 1;
  BatchNormScope batch_norm = BatchNormScope::shard;
  double bucket_mib = 1;
  double time_limit = 300;
};

template <class V>
void describe(V& v, ShardOptions& o) {
  v("shards", o.shards, "parts of a batch; 1, 2, 4, ... ranks share them; 1: the textbook algorithm",
    must_be::at_least(1));
  v("batch_norm", o.batch_norm, "statistics of each shard, or of the global batch");
  v("bucket_mib", o.bucket_mib, "gradients sent on at once while the backward pass goes on; 0: all after it",
    must_be::not_negative());
  v("time_limit", o.time_limit, "seconds a rank waits for another before it ends the job; 0: for ever",
    must_be::not_negative());
}

}  // namespace bcr::train

#endif
