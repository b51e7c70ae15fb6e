#include "src/scale/p3/code_lines.hpp"

#include "src/core/error.hpp"
#include "tests/support/tolerance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace bcr::scale {
namespace {

using testing::HasSubstr;
constexpr double near = test::tolerance::few_operations;

double divergence(const std::vector<CodeLines>& sets) {
  std::vector<const CodeLines*> pointers;
  for (const CodeLines& set : sets) pointers.push_back(&set);
  return code_divergence(pointers);
}

TEST(CodeDivergence, IsTheMeanJaccardDistanceOfAllPairs) {
  const CodeLines a{{"f", 1}, {"f", 2}}, b{{"f", 2}, {"f", 3}}, c{{"g", 1}};
  EXPECT_EQ(divergence({a}), 0);
  EXPECT_EQ(divergence({}), 0);
  EXPECT_EQ(divergence({a, a}), 0);
  EXPECT_EQ(divergence({a, c}), 1);
  EXPECT_NEAR(divergence({a, b}), 1 - 1.0 / 3, near);
  EXPECT_NEAR(divergence({a, b, c}), (2.0 / 3 + 1 + 1) / 3, near);
}

TEST(Coverage, ReadsTheTableOfP3) {
  const auto coverage = parse_coverage(
      "coverage_key,coverage\nk,\"[{\"\"file\"\": \"\"f\"\", \"\"id\"\": \"\"1\"\", \"\"used_lines\"\": [2, 5], "
      "\"\"unused_lines\"\": [3]}]\"\n",
      "c.csv");

  ASSERT_EQ(coverage.size(), 1U);
  EXPECT_EQ(coverage.at("k"), (CodeLines{{"f", 2}, {"f", 5}}));
}

TEST(Coverage, NamesWhatIsWrongAndWhere) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      parse_coverage(text, "c.csv");
    } catch (const IoError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(refusal("key,lines\n"), HasSubstr("coverage_key,coverage"));
  EXPECT_THAT(refusal("coverage_key,coverage\nk,nothing\n"), AllOf(HasSubstr("c.csv:2"), HasSubstr("used_lines")));
  EXPECT_THAT(refusal("coverage_key,coverage\nk,[]\n"), HasSubstr("at least one line"));
  EXPECT_THAT(refusal("coverage_key,coverage\nk\n"), HasSubstr("2 fields"));
}

}  // namespace
}  // namespace bcr::scale
