#include "src/core/error.hpp"
#include "src/table/plan/table_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace bcr::table {
namespace {

using testing::HasSubstr;

const std::string plan_text = R"(
title = "A table"
paper = "Table 1"
metrics = ["auroc"]
rows = ["setting"]
columns = ["method"]

[scales.small]
configs = ["tables/small.toml"]
trials = 2

[[methods]]
name = "energy"
config = "method-energy.toml"

[[methods]]
name = "CGDL"

[[settings]]
name = "one"
title = "One"
config = "one.toml"
split = "whole"
images = 100
tests = 50
[[settings.background]]
set = "imagenet32"
[[settings.background]]
set = "cifar100-train"
without = ["bus"]
)";

std::string refusal_of(const std::string& text) {
  try {
    parse_table_plan(text, "tables/x.toml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = plan_text;
  return text.replace(text.find(from), from.size(), to);
}

TEST(TablePlan, HasWhatItsFileSays) {
  const TablePlan plan = parse_table_plan(plan_text, "tables/x.toml");

  EXPECT_EQ(plan.name, "x");
  EXPECT_EQ(plan.scale(ScaleName::small).trials, 2);
  EXPECT_EQ(plan.scale(ScaleName::full).trials, 1);
  EXPECT_TRUE(plan.method("energy").can_run());
  EXPECT_FALSE(plan.method("CGDL").can_run());
  ASSERT_EQ(plan.setting("one").background.size(), 2U);
  EXPECT_EQ(plan.setting("one").background[1].without, std::vector<std::string>{"bus"});
  EXPECT_EQ(plan.setting("one").published_as(), "one");
}

TEST(TablePlan, RefusesWhatItDoesNotKnowByName) {
  EXPECT_THAT(refusal_of(with("rows = [\"setting\"]", "rows = [\"colour\"]")), HasSubstr("colour"));
  EXPECT_THAT(refusal_of(with("images = 100", "images = 100\nimags = 100")), HasSubstr("imags"));
  EXPECT_THAT(refusal_of(with("trials = 2", "trials = 0")), HasSubstr("scales.small.trials"));
  EXPECT_THAT(refusal_of(with("name = \"CGDL\"", "name = \"CGDL\"\ntrained_as = \"softmax\"")), HasSubstr("softmax"));
  EXPECT_THAT(refusal_of(with("metrics = [\"auroc\"]", "metrics = []")), HasSubstr("metrics"));
}

TEST(TablePlan, NamesTheChoicesOfAMethodThatIsNotThere) {
  const TablePlan plan = parse_table_plan(plan_text, "tables/x.toml");

  try {
    plan.method("magic");
    FAIL() << "there is no such method";
  } catch (const ConfigError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("magic"), HasSubstr("energy, CGDL")));
  }
}

}  // namespace
}  // namespace bcr::table
