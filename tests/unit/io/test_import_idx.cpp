#include "io/datasets/image_readers.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using namespace bcr::test;
using ::testing::HasSubstr;

class ImportIdx : public ::testing::Test {
 protected:
  ImportRequest pair(const Bytes& images, const Bytes& labels) const {
    write_bytes(directory_.path() / "images", images);
    write_bytes(directory_.path() / "labels", labels);
    ImportRequest request;
    request.paths = {directory_.path() / "images", directory_.path() / "labels"};
    return request;
  }

  std::string refusal(const ImportRequest& request) const {
    try {
      read_idx(request);
    } catch (const bcr::IoError& error) {
      return error.what();
    }
    return "accepted";
  }

  ScratchDirectory directory_;
};

TEST_F(ImportIdx, JoinsSeveralPairsInTheOrderGiven) {
  const ImageSet first = patterned_set(2, 3, 3, 1, 2);
  const ImageSet second = patterned_set(1, 3, 3, 1, 1);
  ImportRequest request = pair(idx_images(first), idx_labels(first));
  write_bytes(directory_.path() / "more", gzip(idx_images(second)));
  write_bytes(directory_.path() / "more-labels", idx_labels(second));
  request.paths.push_back(directory_.path() / "more");
  request.paths.push_back(directory_.path() / "more-labels");

  const ImageSet set = read_idx(request);

  EXPECT_EQ(set.count, 3U);
  EXPECT_EQ(set.labels, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(set.images.size(), 27U);
}

TEST_F(ImportIdx, ReadsThePartOfAPublishedDirectoryThatIsAskedFor) {
  const ImageSet train = patterned_set(4, 2, 2, 1, 4);
  const ImageSet test = patterned_set(3, 2, 2, 1, 3);
  write_bytes(directory_.path() / "train-images-idx3-ubyte.gz", gzip(idx_images(train)));
  write_bytes(directory_.path() / "train-labels-idx1-ubyte.gz", gzip(idx_labels(train)));
  write_bytes(directory_.path() / "t10k-images-idx3-ubyte", idx_images(test));
  write_bytes(directory_.path() / "t10k-labels-idx1-ubyte", idx_labels(test));
  ImportRequest request;
  request.paths = {directory_.path()};

  EXPECT_THROW(read_idx(request), bcr::ConfigError) << "training on test images must be asked for";
  request.part = Part::train;
  EXPECT_EQ(read_idx(request).count, 4U);
  request.part = Part::test;
  EXPECT_EQ(read_fashion_mnist(request).class_names[9], "Ankle boot");
  request.part = Part::all;
  EXPECT_EQ(read_idx(request).count, 7U);
}

TEST_F(ImportIdx, RefusesCountsThatDoNotMatch) {
  const std::string text =
      refusal(pair(idx_images(patterned_set(3, 2, 2, 1, 3)), idx_labels(patterned_set(2, 2, 2, 1, 2))));

  EXPECT_THAT(text, HasSubstr("labels at byte 4"));
  EXPECT_THAT(text, HasSubstr("3 labels, one for each image, received 2"));
}

TEST_F(ImportIdx, RefusesALabelOutOfRangeAndSaysWhere) {
  ImageSet set = patterned_set(3, 2, 2, 1, 3);
  set.labels[1] = 10;

  EXPECT_THAT(refusal(pair(idx_images(set), idx_labels(set))),
              HasSubstr("labels at byte 9] expected a label below 10, received 10"));
}

TEST_F(ImportIdx, AcceptsMoreClassesWhenTheyAreNamed) {
  ImageSet set = patterned_set(3, 2, 2, 1, 3);
  set.labels[1] = 46;
  ImportRequest request = pair(idx_images(set), idx_labels(set));
  request.class_names = numbered_classes(47);

  EXPECT_EQ(read_idx(request).class_names.size(), 47U);
}

TEST_F(ImportIdx, RefusesAbsurdSizes) {
  const ImageSet set = patterned_set(1, 2, 2, 1, 1);
  Bytes many = idx_images(set);
  many[4] = 0x7f;
  Bytes wide = idx_images(set);
  wide[12] = 0x7f;
  Bytes none = idx_images(set);
  none[7] = 0;

  EXPECT_THAT(refusal(pair(many, idx_labels(set))), HasSubstr("at byte 16"));
  EXPECT_THAT(refusal(pair(wide, idx_labels(set))), HasSubstr("at byte 12"));
  EXPECT_THAT(refusal(pair(none, idx_labels(set))), HasSubstr("at byte 4"));
  EXPECT_THAT(refusal(pair(gzip(many), idx_labels(set))), HasSubstr("at most"));
}

}  // namespace
