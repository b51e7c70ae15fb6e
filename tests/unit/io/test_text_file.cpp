#include "io/hdf5/text_file.hpp"

#include "io/hdf5/image_file.hpp"
#include "src/core/error.hpp"
#include "src/core/sha256.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TextSet small_set() {
  TextSetBuilder builder;
  builder.add({"b", "a", "b"}, 1, {.file = "test", .id = "x/1"});
  builder.add({"c"}, 0, {.file = "test", .id = "x/2"});
  builder.add({"a", "d"}, 1, {.file = "test", .id = "y/1"});
  TextSet set = builder.take();
  set.class_names = {"first", "second"};
  set.name = "small";
  set.source = "code";
  set.licence = "CC0";
  return set;
}

class TextFiles : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return directory_.path() / "set.h5"; }

  bcr::test::ScratchDirectory directory_;
};

TEST_F(TextFiles, NumberWordsByFrequencyFromTwoOn) {
  const TextSet set = small_set();

  EXPECT_THAT(set.vocabulary.words(), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(set.tokens, ElementsAre(3, 2, 3, 4, 2, 5));
  EXPECT_THAT(set.offsets, ElementsAre(0, 3, 4, 6));
}

TEST_F(TextFiles, GiveBackWhatWasWritten) {
  const TextSet set = small_set();
  const std::string sha256 = write_text_file(path(), set);

  const TextFile file(path());
  const TextSet read = file.read_all();

  EXPECT_NO_THROW(file.verify());
  EXPECT_EQ(file.info().sha256, sha256);
  EXPECT_EQ(file.info().count, 3U);
  EXPECT_EQ(file.info().tokens, 6U);
  EXPECT_EQ(file.info().vocabulary_sha256, bcr::sha256_hex("a\nb\nc\nd"));
  EXPECT_EQ(read.tokens, set.tokens);
  EXPECT_EQ(read.offsets, set.offsets);
  EXPECT_EQ(read.labels, set.labels);
  EXPECT_EQ(read.class_names, set.class_names);
  EXPECT_EQ(read.ids, set.ids);
  EXPECT_EQ(read.vocabulary, set.vocabulary);
  EXPECT_EQ(read.licence, "CC0");
}

TEST_F(TextFiles, ReadRangesOfDocuments) {
  write_text_file(path(), small_set());
  std::vector<std::int32_t> tokens(3);

  TextFile(path()).read_tokens(1, 2, tokens);

  EXPECT_THAT(tokens, ElementsAre(4, 2, 5));
}

TEST_F(TextFiles, AreToldFromFilesOfImages) {
  write_text_file(path(), small_set());
  write_image_file(directory_.path() / "images.h5", bcr::test::patterned_set(2, 3, 3, 1, 2));

  EXPECT_NE(dynamic_cast<TextFile*>(open_data_file(path()).get()), nullptr);
  EXPECT_NE(dynamic_cast<ImageFile*>(open_data_file(directory_.path() / "images.h5").get()), nullptr);
  try {
    const ImageFile file(path());
    FAIL() << "texts were opened as images";
  } catch (const bcr::IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bcr-images"));
    EXPECT_THAT(error.what(), HasSubstr("bcr-texts"));
  }
}

TEST_F(TextFiles, RefuseInconsistentSets) {
  const auto refused = [&](const auto& damage) {
    TextSet set = small_set();
    damage(set);
    EXPECT_THROW(write_text_file(path(), set), bcr::IoError);
    EXPECT_FALSE(std::filesystem::exists(path()));
  };
  refused([](TextSet& set) { set.tokens[0] = 1; });
  refused([](TextSet& set) { set.tokens[0] = 6; });
  refused([](TextSet& set) { set.offsets[1] = 4; });
  refused([](TextSet& set) { set.offsets.pop_back(); });
  refused([](TextSet& set) { set.labels[0] = 2; });
  refused([](TextSet& set) { set.labels.pop_back(); });
  refused([](TextSet& set) { set.ids.pop_back(); });
  refused([](TextSet& set) { set.class_names.clear(); });
}

}  // namespace
