#include "src/core/error.hpp"
#include "src/table/data/data_sets.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace bcr::table {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// A folder of configurations with two sets, and an empty folder of a user.
class DataSetsTest : public testing::Test {
 protected:
  DataSetsTest() {
    fs::create_directories(scratch_.path() / "configs" / "tables");
    fs::create_directories(user());
    scratch_.file("configs/tables/data.toml", R"(
[[archives]]
name = "small.tar.gz"
where = "a page of somebody"
bytes = 1234567
md5 = "0123"
sha256 = "4567"

[[sets]]
name = "small-train"
title = "Small, training images"
format = "cifar10"
sources = [["small/a.bin", "small/b.bin"], ["part_*.npz"]]
archives = ["small.tar.gz"]

[[sets]]
name = "halves"
title = "Halves"
format = "folder"
sources = [["halves"]]
needs = ["halves/right"]
)");
  }

  fs::path user() const { return scratch_.path() / "user"; }
  DataSets sets() const { return DataSets(scratch_.path() / "configs", user()); }
  void touch(const std::string& name) const {
    fs::create_directories((user() / name).parent_path());
    scratch_.file("user/" + name, "");
  }

  test::ScratchDirectory scratch_;
};

TEST_F(DataSetsTest, FindsAllFilesOfOneAlternativeInAFolderBelow) {
  touch("deep/small/a.bin");
  EXPECT_FALSE(sets().find("small-train"));  // b.bin is not there

  touch("deep/small/b.bin");
  const auto found = sets().find("small-train");

  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_ready());
  EXPECT_EQ(found->sources, (std::vector{user() / "deep/small/a.bin", user() / "deep/small/b.bin"}));
}

TEST_F(DataSetsTest, TakesAStarForAnyLetters) {
  touch("part_2.npz");
  touch("part_10.npz");
  touch("part_.txt");

  const auto found = sets().find("small-train");

  ASSERT_TRUE(found);
  EXPECT_EQ(found->sources, (std::vector{user() / "part_10.npz", user() / "part_2.npz"}));
}

TEST_F(DataSetsTest, PrefersAReadyFile) {
  touch("small/a.bin");
  touch("small/b.bin");
  touch("data/small-train.h5");

  const auto found = sets().find("small-train");

  ASSERT_TRUE(found);
  EXPECT_EQ(found->ready, user() / "data/small-train.h5");
}

TEST_F(DataSetsTest, WantsWhatASetNeedsBeside) {
  touch("halves/left/x");
  EXPECT_FALSE(sets().find("halves"));

  touch("halves/right/x");
  EXPECT_TRUE(sets().find("halves"));
}

TEST_F(DataSetsTest, SaysWhereAMissingSetIsPublished) {
  EXPECT_THAT(sets().missing_text("small-train"),
              AllOf(HasSubstr("small/a.bin, small/b.bin"), HasSubstr("small.tar.gz (1,234,567 bytes, MD5 0123, SHA-256 4567)"),
                    HasSubstr("a page of somebody"), HasSubstr(user().string())));
  EXPECT_THROW(sets().missing_text("unheard-of"), ConfigError);
}

TEST_F(DataSetsTest, RefusesADirectoryThatIsNone) {
  EXPECT_THROW(DataSets(scratch_.path() / "configs", user() / "absent"), IoError);
}

}  // namespace
}  // namespace bcr::table
