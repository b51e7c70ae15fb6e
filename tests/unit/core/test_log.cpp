#include "src/core/log.hpp"

#include "tests/support/scratch_directory.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace {

using bcr::Log;
using bcr::LogLevel;
using bcr::test::ScratchDirectory;

class LogTest : public ::testing::Test {
 protected:
  ~LogTest() override { std::fclose(stream_); }

  std::string written() const { return ScratchDirectory::read(scratch_.path() / "log.txt"); }

  ScratchDirectory scratch_;
  std::FILE* stream_ = std::fopen((scratch_.path() / "log.txt").c_str(), "w");
};

TEST_F(LogTest, WritesPlainLinesWithLevelAndRoom) {
  const Log log(LogLevel::debug, stream_);

  log.debug("io", "read {} images", 3);
  log.info("nn", "{} runs on {}", "conv1", "oneDNN");
  log.warning("train", "loss {:.2f}", 1.5);
  log.error("app", "no {{braces}} lost");

  EXPECT_FALSE(log.is_terminal());
  EXPECT_EQ(written(),
            "debug [io] read 3 images\n"
            "info  [nn] conv1 runs on oneDNN\n"
            "warn  [train] loss 1.50\n"
            "error [app] no {braces} lost\n");
}

TEST_F(LogTest, LeavesOutWhatIsBelowItsLevel) {
  const Log log(LogLevel::warning, stream_);
  const Log copy = log;  // NOLINT(performance-unnecessary-copy-initialization): copies share a level

  log.info("nn", "unseen");
  log.warning("nn", "seen");
  copy.set_level(LogLevel::off);
  log.error("nn", "unseen");

  EXPECT_EQ(written(), "warn  [nn] seen\n");
  EXPECT_FALSE(log.enabled(LogLevel::off));
}

TEST(Log, SpeaksOnStderrOnly) {
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();

  Log().info("nn", "hello");

  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "info  [nn] hello\n");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

}  // namespace
