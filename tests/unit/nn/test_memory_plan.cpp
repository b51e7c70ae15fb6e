#include "src/nn/memory_plan.hpp"

#include <gtest/gtest.h>

#include <random>

namespace bcr::nn {
namespace {

void expect_disjoint(const std::vector<Lifetime>& lifetimes, const MemoryPlan& plan) {
  for (std::size_t a = 0; a < lifetimes.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const bool together = lifetimes[a].first <= lifetimes[b].last && lifetimes[b].first <= lifetimes[a].last;
      const bool apart = plan.offsets[a] + lifetimes[a].size <= plan.offsets[b] ||
                         plan.offsets[b] + lifetimes[b].size <= plan.offsets[a];
      EXPECT_TRUE(!together || apart) << "buffers " << a << " and " << b;
    }
}

TEST(MemoryPlan, ReusesTheMemoryOfWhatIsDead) {
  const std::vector<Lifetime> lifetimes{{0, 1, 64}, {2, 3, 64}, {1, 2, 32}};

  const auto plan = place_buffers(lifetimes, 16);

  EXPECT_EQ(plan.size, 96u);
  EXPECT_EQ(plan.offsets[0], plan.offsets[1]);
}

TEST(MemoryPlan, AlignsEveryBuffer) {
  const std::vector<Lifetime> lifetimes{{0, 3, 5}, {0, 3, 7}, {0, 3, 16}};

  const auto plan = place_buffers(lifetimes, 16);

  EXPECT_EQ(plan.size, 48u);
  for (const auto offset : plan.offsets) EXPECT_EQ(offset % 16, 0u);
}

TEST(MemoryPlan, NeverOverlapsTheLivingAndStaysNearThePeak) {
  std::mt19937 engine(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Lifetime> lifetimes(engine() % 40);
    for (auto& lifetime : lifetimes) {
      lifetime.first = static_cast<int>(engine() % 50);
      lifetime.last = lifetime.first + static_cast<int>(engine() % 20);
      lifetime.size = engine() % 300;
    }

    const auto plan = place_buffers(lifetimes, 16);

    expect_disjoint(lifetimes, plan);
    EXPECT_GE(plan.size, peak_size(lifetimes, 16));
    EXPECT_LE(plan.size, 2 * peak_size(lifetimes, 16));
  }
}

}  // namespace
}  // namespace bcr::nn
