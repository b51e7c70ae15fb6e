#include "src/core/process.hpp"

#include "src/core/error.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>

namespace bcr {
namespace {

using namespace std::chrono_literals;

bool never() {
  return false;
}

ProcessResult shell(const std::string& script, const std::vector<std::string>& variables = {}) {
  return run_process({{"sh", "-c", script}, variables}, 60s, never);
}

TEST(Process, GathersOutputAndExitCode) {
  const ProcessResult result = shell("echo one; echo two >&2; exit 7");

  EXPECT_EQ(result.output, "one\n");
  EXPECT_EQ(result.exit_code, 7);
}

TEST(Process, GathersMoreThanAPipeHolds) {
  EXPECT_EQ(shell("head -c 300000 /dev/zero").output.size(), 300000U);
}

TEST(Process, HasNothingToRead) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  ASSERT_EQ(::write(ends[1], "ours\n", 5), 5);
  const int before = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  ::close(ends[1]);

  const std::string read = shell("cat").output;

  ::dup2(before, STDIN_FILENO);
  for (const int file : {before, ends[0]}) ::close(file);
  EXPECT_EQ(read, "");
}

TEST(Process, SeesTheSignalThatEndedIt) {
  EXPECT_EQ(shell("kill -KILL $$").exit_code, 128 + 9);
}

TEST(Process, GivesVariablesThatWinOverOurs) {
  EXPECT_EQ(shell("echo $PATH $BCR_TEST_WORD", {"BCR_TEST_WORD=a b", "PATH=/bin:/usr/bin"}).output,
            "/bin:/usr/bin a b\n");
}

TEST(Process, RefusesAProgramThatIsNotThere) {
  EXPECT_THROW(run_process({{"bcr-no-such-program"}, {}}, 60s, never), IoError);
}

TEST(Process, EndsWhatTakesTooLongWithItsChildren) {
  const auto begin = std::chrono::steady_clock::now();

  EXPECT_THROW(run_process({{"sh", "-c", "sleep 100 & sleep 100"}, {}}, 1s, never), IoError);

  EXPECT_LT(std::chrono::steady_clock::now() - begin, 30s);
}

TEST(Process, EndsWhenAsked) {
  EXPECT_THROW(run_process({{"sleep", "100"}, {}}, 100s, [] { return true; }), IoError);
}

/// Of a process: running, or ended and perhaps not yet waited for by whoever inherited it.
bool runs(const pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.substr(name_end).find("Z") != 2;
}

TEST(Process, EndsWithWhoStartedItHoweverThatEnds) {
  const test::ScratchDirectory directory;
  const std::filesystem::path file = directory.path() / "process";
  const pid_t starter = ::fork();
  if (starter == 0) {
    shell("echo $$ > " + file.string() + ".new; mv " + file.string() + ".new " + file.string() + "; exec sleep 100");
    ::_exit(0);
  }
  const auto until = std::chrono::steady_clock::now() + 30s;
  while (!std::filesystem::exists(file) && std::chrono::steady_clock::now() < until) ::usleep(10000);
  pid_t started = 0;
  std::ifstream(file) >> started;
  ASSERT_GT(started, 0);
  ASSERT_TRUE(runs(started));

  ::kill(starter, SIGKILL);
  ::waitpid(starter, nullptr, 0);

  while (runs(started) && std::chrono::steady_clock::now() < until) ::usleep(10000);
  EXPECT_FALSE(runs(started));
}

TEST(Command, IsQuotedForAShell) {
  const Command command{{"printf", "%s|", "plain-1.0", "two words", "it's", "", "$HOME"}, {"NAME=a b"}};

  EXPECT_EQ(command.text(), "'NAME=a b' printf '%s|' plain-1.0 'two words' 'it'\\''s' '' '$HOME'");
  EXPECT_EQ(shell("env " + command.text()).output, "plain-1.0|two words|it's||$HOME|");
}

}  // namespace
}  // namespace bcr
