#include "src/scale/p3/portability.hpp"

#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

using Platforms = std::vector<PlatformEfficiency>;
constexpr double near = test::tolerance::few_operations;

TEST(PerformancePortability, IsTheHarmonicMeanOfTheEfficiencies) {
  EXPECT_NEAR(performance_portability(Platforms{{"a", 1.0}, {"b", 0.5}}), 2 / (1 + 2.0), near);
  EXPECT_NEAR(performance_portability(Platforms{{"a", 0.8}, {"b", 0.4}, {"c", 0.2}}), 3 / (1.25 + 2.5 + 5), near);
  EXPECT_EQ(performance_portability(Platforms{{"a", 0.7}}), 0.7);
  EXPECT_EQ(performance_portability(Platforms{{"a", 1.0}, {"b", 1.0}, {"c", 1.0}}), 1);
}

TEST(PerformancePortability, IsZeroIfAPlatformIsMissing) {
  EXPECT_EQ(performance_portability(Platforms{{"a", 1.0}, {"b", std::nullopt}}), 0);
  EXPECT_EQ(performance_portability(Platforms{{"a", 0.0}, {"b", 1.0}}), 0);
  EXPECT_EQ(performance_portability(Platforms{}), 0);
}

TEST(Cascade, GoesFromTheBestPlatformToTheWorst) {
  const auto steps = cascade(Platforms{{"slow", 0.25}, {"absent", std::nullopt}, {"fast", 1.0}, {"middle", 0.5}});

  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(steps[0].platform, "fast");
  EXPECT_EQ(steps[1].platform, "middle");
  EXPECT_EQ(steps[2].platform, "slow");
  EXPECT_EQ(steps[3].platform, "absent");
  EXPECT_EQ(steps[0].portability, 1);
  EXPECT_NEAR(steps[1].portability, 2.0 / 3, near);
  EXPECT_NEAR(steps[2].portability, 3.0 / 7, near);
  EXPECT_EQ(steps[3].efficiency, 0);
  EXPECT_EQ(steps[3].portability, 0);
}

// Times of two applications on two machines. On A: x 2 s (its best of two), y 1 s. On B: x 3 s, y 6 s.
const std::vector<P3Row> table{{"d", 5, "x", "p", "A [1x1]"},
                               {"d", 2, "x", "p", "A [1x2]"},
                               {"d", 1, "y", "p", "A"},
                               {"d", 3, "x", "p", "B [2x4]"},
                               {"d", 6, "y", "p", "B [1x4]"}};

TEST(PortabilityTable, TakesTheBestOfEachMachineAgainstTheBestApplication) {
  const auto problems = portability_table(table);

  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].machines, (std::vector<std::string>{"A", "B"}));
  ASSERT_EQ(problems[0].applications.size(), 2U);
  EXPECT_EQ(problems[0].applications[0].application, "x");
  EXPECT_NEAR(problems[0].applications[0].portability, 2 / (1 / 0.5 + 1 / 1.0), near);
  EXPECT_EQ(problems[0].applications[0].steps[0].platform, "B");
  EXPECT_NEAR(problems[0].applications[1].portability, 2 / (1 / 1.0 + 1 / 0.5), near);
}

TEST(PortabilityTable, HasZeroForAnApplicationThatOneMachineLacks) {
  std::vector<P3Row> rows = table;
  rows.pop_back();

  const auto problems = portability_table(rows);

  EXPECT_EQ(problems[0].applications[1].portability, 0);
  EXPECT_GT(problems[0].applications[0].portability, 0);
}

TEST(PortabilityTable, CountsMachinesThatOnlyOtherProblemsHave) {
  std::vector<P3Row> rows = table;
  rows.push_back({"d", 1, "x", "q", "C"});

  const auto problems = portability_table(rows);

  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0].applications[0].portability, 0);
  EXPECT_EQ(problems[1].applications.size(), 1U);
}

}  // namespace
}  // namespace bcr::scale
