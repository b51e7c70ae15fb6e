#include "src/scale/p3/campaign.hpp"

#include "src/core/error.hpp"
#include "src/scale/figures/campaign_page.hpp"
#include "src/scale/p3/portability.hpp"
#include "tests/support/tolerance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

using testing::HasSubstr;
constexpr double near = test::tolerance::few_operations;

P3Row row(const std::string& application, const std::string& problem, const std::string& platform, const double fom,
          const std::string& kind = "cpu") {
  P3Row one{"d", fom, application, problem, platform};
  one.details.program = application + " 1";
  one.details.kind = kind;
  return one;
}

/// Work that takes 0.5 s at the roof of fma and 0.25 s at that of memory.
P3Row counted(P3Row one) {
  one.details.multiply_accumulates = 1e9;
  one.details.fma_per_second = 2e9;
  one.details.bytes = 1e8;
  one.details.bytes_per_second = 4e8;
  one.details.coverage_key = one.application + " " + one.details.kind;
  return one;
}

std::string refusal(const std::vector<CampaignTable>& tables) {
  try {
    join_campaigns(tables);
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

const CampaignTable first{"a.csv", {counted(row("x", "p", "A [1x2]", 1)), row("x", "q", "A [1x2]", 7)}};
const CampaignTable second{"b.csv", {counted(row("x", "p", "B", 2, "gpu")), row("y", "p", "B", 1, "gpu")}};
const CampaignTable peers{"peers.csv", {row("y", "p", "A [1x2]", 2)}};

TEST(Campaign, JoinsWhatEveryMachineMeasured) {
  const Campaign campaign = join_campaigns(std::vector{first, second, peers});

  EXPECT_EQ(campaign.rows.size(), 4U);
  EXPECT_EQ(campaign.left_out, std::vector<std::string>{"q"});
  ASSERT_EQ(campaign.sets.size(), 3U);
  EXPECT_EQ(campaign.sets[0].machines, (std::vector<std::string>{"A", "B"}));
  EXPECT_EQ(campaign.sets[1].machines, std::vector<std::string>{"B"});
  EXPECT_EQ(campaign.sets[2].machines, std::vector<std::string>{"A"});
}

TEST(Campaign, GivesPeersTheCountsAndRoofsOfTheSameProblemAndPlatform) {
  const Campaign campaign = join_campaigns(std::vector{first, second, peers});
  const auto roof = portability_table(campaign.rows, campaign.sets[0].machines, Efficiency::architecture);

  const ApplicationPortability* const x = find_application(roof, "p", "x");
  const ApplicationPortability* const y = find_application(roof, "p", "y");
  ASSERT_TRUE(x != nullptr && y != nullptr);
  EXPECT_NEAR(x->efficiency_on("A"), 0.5, near);
  EXPECT_NEAR(x->efficiency_on("B"), 0.25, near);
  EXPECT_NEAR(x->portability, 2 / (1 / 0.5 + 1 / 0.25), near);
  EXPECT_NEAR(y->efficiency_on("A"), 0.25, near);
}

TEST(Campaign, TakesTheNearerRoofAndNeverMoreThanIt) {
  std::vector<P3Row> rows{counted(row("x", "p", "A", 1)), counted(row("y", "p", "A", 0.1))};
  rows[0].details.bytes = 3.2e8;  // 0.8 s

  const auto roof = portability_table(rows, machines_of(rows), Efficiency::architecture);

  EXPECT_NEAR(find_application(roof, "p", "x")->efficiency_on("A"), 0.8, near);
  EXPECT_EQ(find_application(roof, "p", "y")->efficiency_on("A"), 1);
}

TEST(Campaign, RefusesWhatIsNotComparableWithASentence) {
  CampaignTable other = second;
  other.rows[0].details.program = "x 2";
  EXPECT_THAT(refusal({first, other}), AllOf(HasSubstr("b.csv"), HasSubstr("x 1, as in a.csv"), HasSubstr("x 2")));
  EXPECT_THAT(refusal({first, {"c.csv", {row("x", "r", "C", 1)}}}),
              AllOf(HasSubstr("a problem that was measured on every machine"), HasSubstr("c.csv: 'r'")));
  EXPECT_THAT(refusal({first, {"copy.csv", first.rows}}),
              AllOf(HasSubstr("copy.csv"), HasSubstr("a.csv has it already")));
  EXPECT_THAT(refusal({first, {"g.csv", {row("y", "p", "A", 1, "gpu")}}}),
              AllOf(HasSubstr("A to be a cpu"), HasSubstr("gpu")));
  EXPECT_THAT(refusal({first, {"old.csv", {{"d", 1, "z", "p", "A"}}}}), HasSubstr("'program'"));
  EXPECT_THAT(refusal({first, {"empty.csv", {}}}), HasSubstr("empty.csv"));
}

TEST(Campaign, NavigatesWhereLinesOfCodeAreKnown) {
  const Campaign campaign = join_campaigns(std::vector{first, second, peers});
  const std::map<std::string, CodeLines> coverage{{"x cpu", {{"f", 1}, {"f", 2}, {"f", 3}}},
                                                  {"x gpu", {{"f", 1}, {"g", 1}, {"f", 3}}}};

  const std::vector<SetPortability> sets = portability_by_set(campaign, coverage);

  ASSERT_EQ(sets[0].navigation.size(), 1U);
  ASSERT_EQ(sets[0].navigation[0].applications.size(), 1U);
  EXPECT_EQ(sets[0].navigation[0].applications[0].application, "x");
  EXPECT_NEAR(sets[0].navigation[0].applications[0].convergence, 2.0 / 4, near);
  EXPECT_EQ(sets[0].navigation[0].applications[0].lines.at("A"), 3U);
  EXPECT_EQ(sets[2].navigation[0].applications[0].convergence, 1);
  EXPECT_THAT(efficiency_csv(campaign), HasSubstr("\np,A,x,1,1,0.5,x cpu\n"));
}

}  // namespace
}  // namespace bcr::scale
