#include "src/scale/p3/p3_table.hpp"

#include "src/core/error.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bcr::scale {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& text) {
  try {
    parse_p3(text, "t.csv");
  } catch (const IoError& error) {
    return error.what();
  }
  return "";
}

TEST(P3Table, ReadsBackWhatItWrites) {
  const std::vector<P3Row> rows{
      {"2026-01-31T12:34:56Z", 0.1, "bcr strict", "train wrn-10-1 32x32x3 batch 128 classes 10", "AMD EPYC [1x2]"},
      {"2026-02-01",
       1.0 / 3,
       "a, \"b\"",
       "line\nbreak",
       "",
       {"bcr 0.1, clean", "Cuda", "gpu", "cuDNN, cuBLAS", 1e9, 2e8, 0.1 + 0.2, 1e12, 3e10, "bcr fast Cuda"}},
      {"", 1e-300, "café", ",", "\r\n"}};

  EXPECT_EQ(parse_p3(p3_text(rows), "t.csv"), rows);
  EXPECT_TRUE(p3_text({}).starts_with("date,fom,application,problem,platform,program,"));
}

TEST(P3Table, TakesColumnsInAnyOrderBesideOthers) {
  const auto rows =
      parse_p3("\xEF\xBB\xBFplatform,extra,fom,problem,application,date\r\nM,?,2.5,p,a,d\r\n\r\n", "t.csv");

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0], (P3Row{"d", 2.5, "a", "p", "M"}));
}

TEST(P3Table, NamesWhatIsWrongAndWhere) {
  const bcr::test::InvalidTrapOff comparing_nan_is_invalid;
  const std::string head = "date,fom,application,problem,platform\n";
  EXPECT_THAT(refusal(""), HasSubstr("t.csv"));
  EXPECT_THAT(refusal("date,fom,application,platform\n"), HasSubstr("'problem'"));
  EXPECT_THAT(refusal(head + "d,1,a,p,m\nd,1,a,p\n"), AllOf(HasSubstr("t.csv:3"), HasSubstr("5 fields")));
  EXPECT_THAT(refusal("date,fom,application,problem,platform,bytes\nd,1,a,p,m,-1\n"),
              AllOf(HasSubstr("t.csv:2"), HasSubstr("bytes")));
  for (const std::string wrong : {"", "fast", "0", "-1", "nan", "inf", "1s"})
    EXPECT_THAT(refusal(head + "d," + wrong + ",a,p,m\n"), HasSubstr("t.csv:2")) << wrong;
  EXPECT_THAT(refusal(head + "d,1,\"a,p,m\n"), HasSubstr("closing quote"));
  EXPECT_THROW(read_p3("/nowhere/t.csv"), IoError);
}

TEST(P3Table, KnowsTheMachineOfAPlatform) {
  EXPECT_EQ(machine_of("AMD EPYC [1x2]"), "AMD EPYC");
  EXPECT_EQ(machine_of("A [b] c"), "A [b] c");
  EXPECT_EQ(machine_of("plain"), "plain");
}

TEST(Csv, CountsLinesInsideQuotes) {
  const auto records = parse_csv("a,\"b\nc\"\n\nd,\"e\"\"f\"", "t");

  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].fields, (std::vector<std::string>{"a", "b\nc"}));
  EXPECT_EQ(records[1].line, 4U);
  EXPECT_EQ(records[1].fields, (std::vector<std::string>{"d", "e\"f"}));
}

}  // namespace
}  // namespace bcr::scale
