#include "src/comm/shard_layout.hpp"

#include "src/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace bcr::comm {

std::vector<int> possible_ranks(const int shards) {
  std::vector<int> ranks;
  for (int count = 1; count <= shards; ++count)
    if (shards % count == 0 && (count == 1 || std::has_single_bit(static_cast<unsigned>(shards / count))))
      ranks.push_back(count);
  return ranks;
}

ShardLayout make_shard_layout(const int shards, const int ranks, const int rank) {
  require<ConfigError>(shards > 0 && rank >= 0 && rank < ranks, "shards", "at least one shard and a rank that exists",
                       fmt::format("{} shards, rank {} of {}", shards, rank, ranks));
  const std::vector<int> possible = possible_ranks(shards);
  if (std::find(possible.begin(), possible.end(), ranks) == possible.end())
    throw ConfigError(
        fmt::format("train.shards = {}", shards),
        fmt::format("{} rank{}", fmt::join(possible, possible.size() == 2 ? " or " : ", "),
                    possible.size() == 1 ? "" : "s"),
        fmt::format("{} ranks: use a possible number, or another train.shards (a hyper-parameter)", ranks));
  return {shards, shards / ranks * rank, shards / ranks};
}

}  // namespace bcr::comm
