#include "src/identity/report.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace {

/// The report on a golden file in which `edit` has changed the text.
template <class Edit>
bcr::identity::Report report_on_edited_golden(const Edit& edit) {
  const bcr::test::ScratchDirectory folder;
  const auto file = folder.path() / "golden.txt";
  const auto golden = bcr::identity::make_report({.golden = {}, .prefix = "reduce.", .print_golden = true});
  std::ofstream(file) << edit(golden.text);
  return bcr::identity::make_report({.golden = file, .prefix = "reduce.", .print_golden = false});
}

TEST(Identity, ReportAcceptsItsOwnGoldenFile) {
  const auto report = report_on_edited_golden([](const std::string& text) { return text; });

  EXPECT_GT(report.compared, 0);
  EXPECT_EQ(report.differing, 0);
}

TEST(Identity, ReportCountsAWrongDigest) {
  const auto report = report_on_edited_golden([](std::string text) {
    char& digit = text[text.size() - 2];
    digit = digit == '0' ? '1' : '0';
    return text;
  });

  EXPECT_GT(report.differing, 0);
}

TEST(Identity, ReportCountsSubjectsThatOneSideLacks) {
  const auto added = report_on_edited_golden(
      [](const std::string& text) { return text + "reduce.unheard_of " + std::string(64, 'a') + "\n"; });
  const auto removed =
      report_on_edited_golden([](const std::string& text) { return text.substr(0, text.rfind("reduce.")); });

  EXPECT_EQ(added.differing, 1);
  EXPECT_GT(removed.differing, 0);
}

}  // namespace
