#include "src/core/atomic_file.hpp"

#include "src/core/error.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace {

namespace fs = std::filesystem;
using bcr::test::ScratchDirectory;
using ::testing::HasSubstr;

std::size_t entries(const fs::path& directory) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

/// While it lives, a file cannot grow beyond `bytes`: write fails as it does on a full disk, for root too.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(const rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

std::string message_of_failed_write(const fs::path& target, const std::string& text) {
  try {
    bcr::write_file(target, text);
  } catch (const bcr::IoError& error) {
    return error.what();
  }
  ADD_FAILURE() << "writing " << target << " did not fail";
  return "";
}

TEST(AtomicFile, WritesNewFilesAndReplacesOldOnes) {
  const ScratchDirectory scratch;
  const fs::path target = scratch.path() / "file.txt";

  bcr::write_file(target, std::string(100000, 'a'));
  EXPECT_EQ(ScratchDirectory::read(target), std::string(100000, 'a'));
  bcr::write_file(target, "b");
  EXPECT_EQ(ScratchDirectory::read(target), "b");
  bcr::write_file(target, "");
  EXPECT_EQ(ScratchDirectory::read(target), "");
  EXPECT_EQ(entries(scratch.path()), 1u) << "no temporary is left";
}

TEST(AtomicFile, KeepsTheOldFileAndNamesPathAndReasonWhenTheDiskIsFull) {
  const ScratchDirectory scratch;
  const fs::path target = scratch.file("file.txt", "old");

  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = message_of_failed_write(target, std::string(5000, 'x'));
  }

  EXPECT_THAT(message, HasSubstr("file.txt"));
  EXPECT_THAT(message, HasSubstr("File too large"));
  EXPECT_EQ(ScratchDirectory::read(target), "old");
  EXPECT_EQ(entries(scratch.path()), 1u) << "the temporary is removed";
}

TEST(AtomicFile, NamesAMissingDirectory) {
  const ScratchDirectory scratch;

  const std::string message = message_of_failed_write(scratch.path() / "absent" / "file.txt", "x");

  EXPECT_THAT(message, HasSubstr("absent"));
  EXPECT_THAT(message, HasSubstr("No such file or directory"));
}

TEST(AtomicFile, RefusesDirectoriesAndSpecialFiles) {
  const ScratchDirectory scratch;

  EXPECT_THAT(message_of_failed_write(scratch.path(), "x"), HasSubstr("received a directory"));
  EXPECT_THAT(message_of_failed_write("/dev/full", "x"), HasSubstr("received a special file"));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST(AtomicFile, NamesADirectoryWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  const ScratchDirectory scratch;
  const fs::path target = scratch.file("file.txt", "old");
  ::chmod(scratch.path().c_str(), 0500);

  const std::string message = message_of_failed_write(target, "new");
  ::chmod(scratch.path().c_str(), 0700);

  EXPECT_THAT(message, HasSubstr("Permission denied"));
  EXPECT_EQ(ScratchDirectory::read(target), "old");
}

TEST(AtomicFile, FollowsALinkInsteadOfReplacingIt) {
  const ScratchDirectory scratch;
  const fs::path real = scratch.file("real.txt", "old");
  fs::create_symlink("real.txt", scratch.path() / "link.txt");

  bcr::write_file(scratch.path() / "link.txt", "new");

  EXPECT_TRUE(fs::is_symlink(scratch.path() / "link.txt"));
  EXPECT_EQ(ScratchDirectory::read(real), "new");
}

TEST(AtomicFile, AppearsOnlyWithCommit) {
  const ScratchDirectory scratch;
  const fs::path target = scratch.path() / "checkpoint.h5";
  {
    const bcr::AtomicFile abandoned(target);
    std::ofstream(abandoned.temporary()) << "half";
  }
  EXPECT_EQ(entries(scratch.path()), 0u) << "an abandoned file leaves nothing";

  bcr::AtomicFile file(target);
  std::ofstream(file.temporary()) << "whole";
  EXPECT_FALSE(fs::exists(target));
  file.commit();
  EXPECT_EQ(ScratchDirectory::read(target), "whole");
}

TEST(AtomicFile, CommitWithoutAFileIsAnError) {
  const ScratchDirectory scratch;
  bcr::AtomicFile file(scratch.path() / "never_written.txt");

  EXPECT_THROW(file.commit(), bcr::IoError);
}

}  // namespace
