#include "src/train/batches/batch_source.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bcr::train {
namespace {

const std::vector<std::pair<std::uint64_t, std::size_t>> sizes{{1, 1}, {1, 128}, {128, 128}, {300, 128}, {65, 7}};

TEST(BatchPlans, DrawEveryKnownPositionOfAnEpochOnceAndInOrder) {
  for (const auto& [count, batch] : sizes) {
    const BatchPlan plan{.known_count = count, .known_batch = batch};
    std::uint64_t next = 0;
    for (std::uint64_t step = 0; step < 3 * plan.steps_per_epoch(); ++step) {
      const PositionRange range = plan.known_range(step);
      EXPECT_EQ(range.first, next);
      EXPECT_LE(range.count, batch);
      EXPECT_GT(range.count, 0u);
      next = range.first + range.count;
    }
    EXPECT_EQ(next, 3 * count);
  }
}

TEST(BatchPlans, MayDropTheSmallerBatchAtTheEnd) {
  const BatchPlan plan{.known_count = 300, .known_batch = 128, .last_batch = LastBatch::drop};

  EXPECT_EQ(plan.steps_per_epoch(), 2u);
  EXPECT_EQ(plan.known_range(1), (PositionRange{128, 128}));
  EXPECT_EQ(plan.known_range(2), (PositionRange{300, 128})) << "the next epoch begins at its beginning";
  EXPECT_THROW((BatchPlan{.known_count = 100, .known_batch = 128, .last_batch = LastBatch::drop}.require_valid()),
               ConfigError);
}

TEST(BatchPlans, DrawFullBackgroundBatchesWithoutGap) {
  const BatchPlan plan{.known_count = 300, .known_batch = 128, .background_batch = 77};

  for (std::uint64_t step = 0; step < 10; ++step) {
    EXPECT_EQ(plan.background_range(step), (PositionRange{77 * step, 77}));
  }
}

TEST(BatchPlans, DivideEveryBatchAmongTheSharesWithoutRest) {
  for (const auto& [count, batch] : sizes)
    for (const int shards : {1, 2, 3, 8}) {
      const BatchPlan whole{.known_count = count, .known_batch = batch};
      for (std::uint64_t step = 0; step < whole.steps_per_epoch(); ++step) {
        std::uint64_t next = whole.known_range(step).first;
        for (int index = 0; index < shards; ++index) {
          BatchPlan part = whole;
          part.shard = {index, shards};
          const PositionRange range = part.known_range(step);
          EXPECT_EQ(range.first, next);
          next += range.count;
        }
        EXPECT_EQ(next, whole.known_range(step).first + whole.known_range(step).count);
      }
    }
}

TEST(BatchPlans, RefuseWhatCannotBeDrawn) {
  EXPECT_NO_THROW((BatchPlan{.known_count = 1}.require_valid()));
  EXPECT_THROW((BatchPlan{.known_count = 0}.require_valid()), ConfigError);
  EXPECT_THROW((BatchPlan{.known_count = 1, .known_batch = 0}.require_valid()), ConfigError);
  EXPECT_THROW((BatchPlan{.known_count = 1, .shard = {1, 1}}.require_valid()), ConfigError);
  EXPECT_THROW((BatchPlan{.known_count = 1, .shard = {-1, 2}}.require_valid()), ConfigError);
  EXPECT_THROW((BatchPlan{.known_count = 1, .shard = {0, 0}}.require_valid()), ConfigError);
}

}  // namespace
}  // namespace bcr::train
