#include "src/core/error.hpp"
#include "src/optim/parameter_layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using bcr::ParameterSlice;
using namespace bcr::optim;

ParameterLayout two_groups(std::vector<ParameterSlice> slices, const std::size_t size) {
  return {size, std::move(slices), {{.name = "weights"}, {.name = "anchors"}}};
}

TEST(ParameterLayout, ChunksCoverEverySliceOnceWithItsGroup) {
  const ParameterLayout layout = two_groups({{"b", 40000, 30001, "anchors"},
                                             {"a", 0, 39990, "weights"},
                                             {"c", 70001, 5, "anchors"},
                                             {"empty", 70006, 0, "weights"}},
                                            70010);
  std::vector<int> group_of(layout.arena_size, -1);

  for (const auto& chunk : make_chunks(layout)) {
    ASSERT_GT(chunk.size, 0);
    for (std::int64_t i = chunk.begin; i < chunk.begin + chunk.size; ++i) {
      ASSERT_EQ(group_of.at(static_cast<std::size_t>(i)), -1);
      group_of[static_cast<std::size_t>(i)] = chunk.group;
    }
  }

  for (std::size_t i = 0; i < group_of.size(); ++i) {
    const int expected = i < 39990 ? 0 : i >= 40000 && i < 70006 ? 1 : -1;
    ASSERT_EQ(group_of[i], expected) << i;
  }
}

TEST(ParameterLayout, ManySmallNeighboursShareAChunk) {
  std::vector<ParameterSlice> slices;
  for (std::size_t i = 0; i < 100; ++i) slices.push_back({"p" + std::to_string(i), 3 * i, 3, "weights"});

  const auto chunks = make_chunks(two_groups(slices, 300));

  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(chunks[0].size, 300);
}

TEST(ParameterLayout, OfNothingHasNoChunks) {
  EXPECT_NO_THROW(check(two_groups({}, 0)));
  EXPECT_TRUE(make_chunks(two_groups({}, 0)).empty());
}

TEST(ParameterLayout, RefusesOverlapsUnknownGroupsAndDoubleNames) {
  EXPECT_THROW(check(two_groups({{"a", 0, 4, "weights"}, {"b", 3, 4, "weights"}}, 10)), bcr::ShapeError);
  EXPECT_THROW(check(two_groups({{"a", 8, 4, "weights"}}, 10)), bcr::ShapeError);
  EXPECT_THROW(check(two_groups({{"a", 0, 4, "biases"}}, 10)), bcr::ConfigError);
  EXPECT_THROW(check(two_groups({{"a", 0, 4, "weights"}, {"a", 4, 4, "weights"}}, 10)), bcr::ConfigError);
  EXPECT_THROW(check({0, {}, {}}), bcr::ConfigError);
  EXPECT_THROW(check({0, {}, std::vector<ParameterGroup>(9)}), bcr::ConfigError);
  EXPECT_THROW(check({0, {}, {{.name = "m", .momentum = 1}}}), bcr::ConfigError);
  EXPECT_THROW(check({0, {}, {{.name = "wd", .weight_decay = -1}}}), bcr::ConfigError);
}

}  // namespace
