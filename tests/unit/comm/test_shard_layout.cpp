#include "src/comm/shard_layout.hpp"
#include "src/core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::comm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ShardLayouts, AreSharedByOneRankOrByRanksWithAPowerOfTwoEach) {
  EXPECT_THAT(possible_ranks(1), ElementsAre(1));
  EXPECT_THAT(possible_ranks(8), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(possible_ranks(6), ElementsAre(1, 3, 6));
  EXPECT_THAT(possible_ranks(12), ElementsAre(1, 3, 6, 12));
  EXPECT_THAT(possible_ranks(7), ElementsAre(1, 7));
}

TEST(ShardLayouts, GiveEveryShardToOneRank) {
  for (const int shards : {1, 6, 7, 8, 12})
    for (const int ranks : possible_ranks(shards)) {
      int next = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        const ShardLayout layout = make_shard_layout(shards, ranks, rank);
        EXPECT_EQ(layout.first, next);
        next += layout.count;
      }
      EXPECT_EQ(next, shards);
    }
}

TEST(ShardLayouts, NameThePossibleNumbersOfRanks) {
  try {
    make_shard_layout(8, 3, 0);
    FAIL() << "3 ranks accepted";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), HasSubstr("1, 2, 4, 8 ranks"));
    EXPECT_THAT(error.what(), HasSubstr("train.shards = 8"));
    EXPECT_THAT(error.received(), HasSubstr("3 ranks"));
  }
  EXPECT_THROW(make_shard_layout(1, 2, 0), ConfigError);
  EXPECT_THROW(make_shard_layout(8, 16, 0), ConfigError);
  EXPECT_THROW(make_shard_layout(8, 2, 2), ConfigError);
}

}  // namespace
}  // namespace bcr::comm
