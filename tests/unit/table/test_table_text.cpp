#include "src/core/csv.hpp"
#include "src/table/result/table_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::table {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Two methods whose name and setting hold what LaTeX, HTML and CSV would take for their own.
TablePlan awkward_plan() {
  return parse_table_plan(R"(
title = "A & B"
metrics = ["accuracy"]
rows = ["setting"]
columns = ["metric", "method"]
[[methods]]
name = "50% <b>_x"
config = "a.toml"
[[methods]]
name = "say \"no\", please"
config = "b.toml"
[[settings]]
name = "one"
title = "#1 & <i>"
config = "x.toml"
split = "whole"
images = 10
tests = 10
[[settings.background]]
set = "b"
)",
                          "tables/awkward.toml");
}

Results awkward_results() {
  Results results;
  const TablePlan plan = awkward_plan();
  results.places.push_back({{"one", "", plan.methods[0].name, std::nullopt, "accuracy"},
                            metrics::TrialSummary{2, 0.5, 0.25},
                            0.75,
                            plan.methods[0].name});
  results.places.push_back({{"one", "", plan.methods[1].name, std::nullopt, "accuracy"},
                            metrics::TrialSummary{1, 0.875, std::nullopt},
                            std::nullopt,
                            plan.methods[1].name});
  return results;
}

TEST(Latex, EscapesEverySpecialLetter) {
  EXPECT_EQ(latex_escape("a_b & 5 % of $x# {y} ~^\\"),
            "a\\_b \\& 5 \\% of \\$x\\# \\{y\\} \\textasciitilde{}\\textasciicircum{}\\textbackslash{}");
  EXPECT_EQ(latex_escape("λ ± ≈ ↑↓ –"), "$\\lambda$ $\\pm$ $\\approx$ $\\uparrow$$\\downarrow$ --");
  EXPECT_EQ(latex_escape("é"), "é");
}

TEST(Latex, TableHasTheShapeOfThePaperAndTheBestInBold) {
  const std::string text = latex_text(awkward_results(), awkward_plan());

  EXPECT_THAT(text, HasSubstr("\\begin{tabular}{lcc}\n"));
  EXPECT_THAT(text, HasSubstr("50\\% <b>\\_x"));
  EXPECT_THAT(text, HasSubstr("\\#1 \\& <i> & 0.500 $\\pm$ 0.250 (0.750 $\\approx$) & \\textbf{0.875} \\\\"));
}

TEST(Csv, QuotesWhatMustBeQuoted) {
  EXPECT_EQ(csv_field("plain"), "plain");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(Csv, HasALineForEachPlace) {
  const std::string text = csv_text(awkward_results(), awkward_plan());

  EXPECT_THAT(text, HasSubstr("awkward,one,,50% <b>_x,,accuracy,2,0.5,0.25,0.75,-0.25,-1.19523\n"));
  EXPECT_THAT(text, HasSubstr("awkward,one,,\"say \"\"no\"\", please\",,accuracy,1,0.875,,,,\n"));
}

TEST(Html, EscapesNames) {
  const std::string html = html_text(awkward_results(), awkward_plan());

  EXPECT_THAT(html, HasSubstr("50% &lt;b&gt;_x"));
  EXPECT_THAT(html, HasSubstr("say &quot;no&quot;, please"));
  EXPECT_THAT(html, Not(HasSubstr("<b>_x")));
  EXPECT_THAT(html, HasSubstr("<strong>0.875</strong>"));
  EXPECT_THAT(html, HasSubstr("paper 0.750"));
}

TEST(PlainText, HasALineForEachMethod) {
  const std::string text = plain_text(awkward_results(), awkward_plan());

  EXPECT_THAT(text, HasSubstr("0.500 ± 0.250 (0.750 ≈)"));
  EXPECT_THAT(text, HasSubstr("0.875"));
}

}  // namespace
}  // namespace bcr::table
