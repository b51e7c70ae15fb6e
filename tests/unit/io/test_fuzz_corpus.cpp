// The readers that are fuzzed (tests/fuzz, scripts/fuzz) in every build: sound files are read, and what fuzzers once
// found is read or refused.
#include "tests/fuzz/targets.hpp"
#include "tests/support/data_folder.hpp"

#include <gmock/gmock.h>

#include <filesystem>

namespace bcr::fuzz {
namespace {

namespace fs = std::filesystem;

const fs::path tree = fs::path(test::data_folder) / ".." / "fuzz";

TEST(FuzzTargets, AcceptWhatTheyStartFrom) {
  for (const Target& target : targets()) {
    EXPECT_FALSE(target.seeds.empty()) << target.name;
    for (const test::Bytes& seed : target.seeds) EXPECT_EQ(run(target, seed), Verdict::accepted) << target.name;
  }
}

TEST(FuzzTargets, RefuseHalfOfAFileOrReadIt) {
  for (const Target& target : targets())
    for (test::Bytes seed : target.seeds) {
      seed.resize(seed.size() / 2);
      EXPECT_NO_THROW(run(target, seed)) << target.name;
    }
}

TEST(FuzzTargets, AreNamedWhereThereIsNone) {
  try {
    target("gif");
    FAIL() << "a reader of gif";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("there are: idx_images"));
  }
}

TEST(FuzzTargets, HaveTheDictionariesTheyName) {
  for (const Target& target : targets()) {
    const bool has_file = fs::exists(tree / "dictionaries" / (target.dictionary + ".dict"));
    EXPECT_TRUE(target.dictionary.empty() || has_file) << target.name;
  }
}

TEST(FuzzCorpus, IsReadOrRefused) {
  int files = 0;
  for (const fs::directory_entry& folder : fs::directory_iterator(tree / "corpus")) {
    const Target& reader = target(folder.path().filename().string());
    for (const fs::directory_entry& file : fs::directory_iterator(folder)) {
      EXPECT_NO_THROW(run(reader, test::read_bytes(file.path()))) << file.path();
      ++files;
    }
  }
  EXPECT_GT(files, 0) << "no corpus in " << tree;
}

}  // namespace
}  // namespace bcr::fuzz
