// Text, bytes and file names on their way into a page.
#include "src/report/plot/page.hpp"

#include <gtest/gtest.h>

namespace {

using bcr::report::base64;
using bcr::report::escape;
using bcr::report::file_name;

TEST(Escape, TurnsMarkupIntoText) {
  EXPECT_EQ(escape("<a href=\"x\">'&'</a>"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(escape("λ = ½ · 日本"), "λ = ½ · 日本");
}

TEST(Escape, ReplacesWhatXmlForbids) {
  EXPECT_EQ(escape(std::string_view("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(escape("\x1b[0m"), "\uFFFD[0m");
  EXPECT_EQ(escape("a\xff"), "a\uFFFD");
  EXPECT_EQ(escape("tab\tline\n"), "tab\tline\n");
}

TEST(Base64, AgreesWithTheExamplesOfRfc4648) {
  const auto encode = [](const std::string_view text) {
    return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };

  EXPECT_EQ(encode(""), "");
  EXPECT_EQ(encode("f"), "Zg==");
  EXPECT_EQ(encode("fo"), "Zm8=");
  EXPECT_EQ(encode("foo"), "Zm9v");
  EXPECT_EQ(encode("foob"), "Zm9vYg==");
  EXPECT_EQ(encode("\xff\xfe\xfd"), "//79");
}

TEST(FileName, HoldsNothingThatAFileSystemReads) {
  EXPECT_EQ(file_name("WRN-10.1"), "wrn-10.1");
  EXPECT_EQ(file_name("a/b c\"").find_first_of("/ \""), std::string::npos);
}

}  // namespace
