#include "src/predict/answer_lines.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace bcr::predict {
namespace {

const std::vector<std::string> names{"wren", "owl, \"barn\""};

TEST(AnswerLines, QuoteWhatCsvNeedsQuotedAndKeepEveryBit) {
  const Answer answer{.guess = 1, .second = 0, .unknown = true, .score = -0.1, .inclusion = 1.0 / 3, .distance = {},
                      .p_value = 0.25};

  EXPECT_EQ(csv_line({"a,b.png", answer, ""}, names),
            "\"a,b.png\",unknown,\"owl, \"\"barn\"\"\",wren,-0.1,0.3333333333333333,,0.25,\n");
  EXPECT_EQ(csv_line({"c.png", std::nullopt, "expected x, received y"}, names),
            "c.png,,,,,,,,\"expected x, received y\"\n");
}

TEST(AnswerLines, AreJsonWhateverTheNamesAndNumbers) {
  const Answer answer{.guess = 0, .second = {}, .unknown = false, .score = std::numeric_limits<double>::infinity(),
                      .inclusion = {}, .distance = 2.5, .p_value = {}};

  EXPECT_EQ(json_line({"a\xff\".png", answer, ""}, names),
            "{\"path\":\"a\xEF\xBF\xBD\\\".png\",\"label\":\"wren\",\"guess\":\"wren\",\"second\":null,\"score\":null,"
            "\"p_inclusion\":null,\"distance\":2.5,\"p_value\":null}\n");
  EXPECT_EQ(json_line({"c.png", std::nullopt, "cut off"}, names), "{\"path\":\"c.png\",\"error\":\"cut off\"}\n");
}

}  // namespace
}  // namespace bcr::predict
