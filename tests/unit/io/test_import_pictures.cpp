#include "io/datasets/image_readers.hpp"
#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_samples.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using namespace bcr::test;
using ::testing::HasSubstr;

class ImportPictures : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::size_t height, const std::size_t width) const {
    write_bytes(directory_.path() / name, encode_png(picture_of(patterned_set(1, height, width, 3, 1), 0)));
  }

  ImportRequest request(const std::size_t size) const {
    ImportRequest made;
    made.paths = {directory_.path()};
    made.size = size;
    return made;
  }

  ScratchDirectory directory_;
};

TEST_F(ImportPictures, ScaleEveryPictureToTheSize) {
  add("b/wide.png", 10, 30);
  add("a/small.png", 2, 2);
  write_bytes(directory_.path() / "a" / "notes.txt", {1});

  const ImageSet set = read_image_folder(request(6));

  EXPECT_EQ(set.count, 2U);
  EXPECT_EQ(set.images.size(), 2U * 6 * 6 * 3);
  EXPECT_EQ(set.class_names, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(set.labels, (std::vector<std::int32_t>{0, 1}));
}

TEST_F(ImportPictures, MakeOneClassOfAFolderWithoutFolders) {
  add("LSUN/2.png", 4, 4);
  add("LSUN/10.png", 4, 4);
  ImportRequest single = request(4);
  single.paths = {directory_.path() / "LSUN"};

  const ImageSet set = read_image_folder(single);

  EXPECT_EQ(set.class_names, std::vector<std::string>{"LSUN"});
  EXPECT_EQ(set.count, 2U);
}

TEST_F(ImportPictures, NeedASizeAndAPicture) {
  add("a/x.png", 4, 4);
  EXPECT_THROW(read_image_folder(request(0)), bcr::ConfigError);
  std::filesystem::create_directory(directory_.path() / "empty");
  EXPECT_THROW(read_image_folder(request(4)), bcr::IoError);
}

TEST_F(ImportPictures, OfTinyImagenetCountClassesInAlphabeticalOrder) {
  const FormatSample& sample = format_sample("tiny_imagenet");
  sample.write(directory_.path());
  ImportRequest val = request(16);
  val.part = Part::test;

  const ImageSet set = read_tiny_imagenet(val);

  EXPECT_EQ(set.class_names, (std::vector<std::string>{"n00000001 goldfish", "n00000009 crane"}));
  EXPECT_EQ(set.labels, (std::vector<std::int32_t>{1, 0}));
}

TEST_F(ImportPictures, OfTinyImagenetMustBeAnnotatedWithAKnownClass) {
  const FormatSample& sample = format_sample("tiny_imagenet");
  sample.write(directory_.path());
  const std::string text = "val_0.JPEG\tn00000009\nval_1.JPEG\tn00000002\n";
  write_bytes(directory_.path() / "val/val_annotations.txt", {text.begin(), text.end()});
  try {
    sample.read(directory_.path());
    FAIL() << "an unknown class was accepted";
  } catch (const bcr::IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("val_annotations.txt at byte 32"));
    EXPECT_THAT(error.what(), HasSubstr("received n00000002"));
  }
}

}  // namespace
