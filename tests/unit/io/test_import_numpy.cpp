#include "io/datasets/image_readers.hpp"
#include "io/datasets/npy_file.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

namespace {

using namespace bcr::io;
using namespace bcr::test;
using ::testing::HasSubstr;

class ImportNumpy : public ::testing::Test {
 protected:
  ImportRequest files(const std::vector<Bytes>& contents) const {
    ImportRequest request;
    for (std::size_t i = 0; i < contents.size(); ++i) {
      request.paths.push_back(directory_.path() / ("array" + std::to_string(i)));
      write_bytes(request.paths.back(), contents[i]);
    }
    return request;
  }

  std::string refusal(const std::vector<Bytes>& contents) const {
    try {
      read_numpy(files(contents));
    } catch (const bcr::IoError& error) {
      return error.what();
    }
    return "accepted";
  }

  ScratchDirectory directory_;
};

TEST_F(ImportNumpy, MakesOneClassOfImagesWithoutLabels) {
  const ImageSet expected = patterned_set(2, 3, 3, 3, 1);

  const ImageSet set = read_numpy(files({npy("|u1", {2, 3, 3, 3}, expected.images)}));

  EXPECT_EQ(set.images, expected.images);
  EXPECT_EQ(set.class_names, std::vector<std::string>{"unlabelled"});
  EXPECT_EQ(set.labels, (std::vector<std::int32_t>{0, 0}));
}

TEST_F(ImportNumpy, ReadsGreyImagesWithoutAChannelDimension) {
  const ImageSet set = read_numpy(files({npy("|u1", {2, 3, 4}, Bytes(24, 9))}));

  EXPECT_EQ(set.channels, 1U);
  EXPECT_EQ(set.width, 4U);
}

TEST_F(ImportNumpy, ReadsLabelsOfEveryIntegerType) {
  const Bytes images = npy("|u1", {2, 1, 1}, Bytes(2, 0));
  for (const auto& [type, data] : std::vector<std::pair<std::string, Bytes>>{
           {"|u1", {3, 1}}, {"|i1", {3, 1}}, {"<u2", {3, 0, 1, 0}}, {"<i4", {3, 0, 0, 0, 1, 0, 0, 0}}}) {
    EXPECT_EQ(read_numpy(files({images, npy(type, {2}, data)})).labels, (std::vector<std::int32_t>{3, 1})) << type;
  }
}

TEST_F(ImportNumpy, RefusesANegativeLabelAndSaysWhere) {
  const Bytes labels = npy("<i2", {2}, {3, 0, 0xff, 0xff});

  EXPECT_THAT(refusal({npy("|u1", {2, 1, 1}, Bytes(2, 0)), labels}),
              HasSubstr("array1 at byte 130] expected a label of 0 to 65535, received -1"));
}

TEST_F(ImportNumpy, RefusesWhatIsNotAPlainArray) {
  const Bytes data(8, 0);
  Bytes fortran = npy("|u1", {2, 2, 2}, data);
  const std::string text(fortran.begin(), fortran.end());
  fortran[text.find("False")] = 'T';
  std::copy_n("rue ", 4, fortran.begin() + static_cast<std::ptrdiff_t>(text.find("False")) + 1);

  EXPECT_THAT(refusal({npy("|O8", {1}, data)}), HasSubstr("little-endian numbers"));
  EXPECT_THAT(refusal({npy(">i4", {2}, data)}), HasSubstr("little-endian numbers"));
  EXPECT_THAT(refusal({fortran}), HasSubstr("C order"));
  EXPECT_THAT(refusal({npy("|u1", {8}, data)}), HasSubstr("an array of images"));
  EXPECT_THAT(refusal({npy("|u1", {1, 2, 2, 2}, data)}), HasSubstr("[1, 2, 2, 2]"));
}

TEST_F(ImportNumpy, RefusesAbsurdSizesAndCounts) {
  const Bytes data(8, 0);

  EXPECT_THAT(refusal({npy("|u1", {4000000000, 4000000000, 4000000000}, data)}), HasSubstr("sensible size"));
  EXPECT_THAT(refusal({npy("|u1", {1000000, 32, 32}, data)}), HasSubstr("at most 8 bytes"));
  EXPECT_THAT(refusal({npy("|u1", {2, 2, 2}, data), npy("|u1", {3}, {0, 0, 0})}),
              HasSubstr("2 labels, one for each image, received 3"));
}

TEST_F(ImportNumpy, RefusesImagesOfDifferentSize) {
  EXPECT_THAT(refusal({npy("|u1", {1, 2, 2}, Bytes(4, 0)), npy("|u1", {1, 1, 4}, Bytes(4, 0))}),
              HasSubstr("expected [2, 2, 1], received [1, 4, 1]"));
}

TEST_F(ImportNumpy, CountsTheLabelsOfImagenetBatchesFromOne) {
  const ImageSet expected = patterned_set(2, 2, 2, 3, 2);
  const Bytes data = npy("|u1", {2, 12}, planar_pixels(expected));

  const ImageSet set = read_imagenet_batches(files({data, npy("<i8", {2}, int64_labels(expected, 1))}));

  EXPECT_EQ(set.images, expected.images);
  EXPECT_EQ(set.labels, expected.labels);
  EXPECT_EQ(set.class_names.size(), 1000U);
  EXPECT_EQ(set.class_names.front(), "n02119789 kit_fox");  // map_clsloc: label 1
  EXPECT_THROW(read_imagenet_batches(files({data, npy("<i8", {2}, int64_labels(expected, 0))})), bcr::IoError);
}

}  // namespace
