#include "src/scale/p3/speed_comparison.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

P3Row row(const std::string& problem, const double seconds) {
  return {"d", seconds, "bcr", problem, "m"};
}

TEST(SpeedComparison, FlagsWhatGrewByMoreThanTheShare) {
  const std::vector<P3Row> before{row("a", 1), row("b", 1), row("c", 1), row("d", 1.125), row("e", 2)};
  const std::vector<P3Row> after{row("a", 1.125), row("b", 1.25), row("c", 0.5), row("d", 1), row("f", 2)};

  const auto cases = compare_tables(before, after, 0.125);

  ASSERT_EQ(cases.size(), 6U);
  EXPECT_EQ(cases[0].verdict, Verdict::same);  // exactly the share is no growth beyond it
  EXPECT_EQ(cases[1].verdict, Verdict::slower);
  EXPECT_EQ(cases[2].verdict, Verdict::faster);
  EXPECT_EQ(cases[2].speed_up(), 2);
  EXPECT_EQ(cases[3].verdict, Verdict::same);
  EXPECT_EQ(cases[4].verdict, Verdict::only_before);
  EXPECT_EQ(cases[5].verdict, Verdict::only_after);
  EXPECT_TRUE(any_slower(cases));
  EXPECT_TRUE(any_common(cases));
}

TEST(SpeedComparison, TellsCasesApartByApplicationProblemAndPlatform) {
  const std::vector<P3Row> before{{"d", 1, "x", "p", "m"}, {"d", 2, "y", "p", "m"}, {"d", 3, "x", "p", "n"}};
  const std::vector<P3Row> after{{"e", 3, "x", "p", "n"}, {"e", 1, "x", "p", "m"}, {"e", 2, "y", "p", "m"}};

  const auto cases = compare_tables(before, after, 0.1);

  ASSERT_EQ(cases.size(), 3U);
  for (const SpeedComparison& one : cases) EXPECT_EQ(one.speed_up(), 1) << one.application;
  EXPECT_EQ(cases[2].platform, "n");
  EXPECT_EQ(cases[2].after, 3);
}

TEST(SpeedComparison, TakesTheMedianOfRepeatedRows) {
  const std::vector<P3Row> before{row("a", 1), row("a", 100), row("a", 2)};
  const auto cases = compare_tables(before, std::vector<P3Row>{row("a", 2)}, 0.1);

  ASSERT_EQ(cases.size(), 1U);
  EXPECT_EQ(cases[0].before, 2);
  EXPECT_FALSE(any_slower(cases));
}

TEST(SpeedComparison, SaysWhatItFound) {
  const auto cases = compare_tables(std::vector<P3Row>{row("a", 1), row("b", 1)}, std::vector<P3Row>{row("a", 2)}, 0.1);

  const std::string text = comparison_text(cases);

  EXPECT_THAT(text, testing::HasSubstr("0.500  SLOWER   bcr, a, m"));
  EXPECT_THAT(text, testing::HasSubstr("1 slower, 0 faster, 0 the same, 1 missing, 0 new"));
  EXPECT_FALSE(any_common(compare_tables(std::vector<P3Row>{row("a", 1)}, std::vector<P3Row>{row("b", 1)}, 0.1)));
}

}  // namespace
}  // namespace bcr::scale
