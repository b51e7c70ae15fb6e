#include "src/predict/answer_page.hpp"

#include <gmock/gmock.h>

namespace bcr::predict {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

AnswerPage made() {
  return AnswerPage(
      {.model = "wrn-10-1", .file = "runs/<first>", .score = "min_distance", .threshold = "s < 1", .fit = "stretch"},
      {"wren", "owl & co"});
}

TEST(AnswerPage, SaysWhatIsKnownUnknownAndUnreadable) {
  AnswerPage page = made();
  const Answer known{
      .guess = 1, .second = 0, .unknown = false, .score = -2, .inclusion = 0.25, .distance = 3.5, .p_value = {}};
  Answer unknown = known;
  unknown.unknown = true;

  const std::string first = page.card({"a\"b.png", known, ""}, "data:image/png;base64,AAAA");
  const std::string second = page.card({"c.png", unknown, ""}, "");
  const std::string third = page.card({"d.png", std::nullopt, "cut <off>"}, "");
  const std::string foot = page.foot();

  EXPECT_THAT(first, HasSubstr("<b>owl &amp; co</b>"));
  EXPECT_THAT(first, HasSubstr("then wren"));
  EXPECT_THAT(first, HasSubstr("P_I 0.25 · distance 3.5<"));
  EXPECT_THAT(first, HasSubstr("a&quot;b.png"));
  EXPECT_THAT(first, HasSubstr("src=\"data:image/png;base64,AAAA\""));
  EXPECT_THAT(second, HasSubstr("<b>unknown</b><span>nearest: owl &amp; co, then wren"));
  EXPECT_THAT(second, Not(HasSubstr("<img")));
  EXPECT_THAT(third, HasSubstr("cut &lt;off&gt;"));
  for (const char* const row : {"<th>owl &amp; co</th><td>1</td>", "<th>unknown</th><td>1</td>",
                                "<th>not readable</th><td>1</td><td>33.3 %", "<b>3</b> pictures"})
    EXPECT_THAT(foot, HasSubstr(row));
}

TEST(AnswerPage, IsCompleteAndLoadsNothing) {
  AnswerPage page = made();
  const std::string html = page.head() + page.foot();

  EXPECT_EQ(html.find("<!DOCTYPE html>"), 0U);
  EXPECT_THAT(html, HasSubstr("runs/&lt;first&gt;"));
  EXPECT_THAT(html, HasSubstr("<b>0</b> pictures"));
  EXPECT_THAT(html, HasSubstr("</html>\n"));
  for (const char* const outside : {"http:", "https:", "<script", "src=\"/", "@import"})
    EXPECT_THAT(html, Not(HasSubstr(outside)));
}

}  // namespace
}  // namespace bcr::predict
