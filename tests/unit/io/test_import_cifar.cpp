#include "io/datasets/image_readers.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <set>

namespace {

using namespace bcr::io;
using namespace bcr::test;
using ::testing::HasSubstr;

class ImportCifar : public ::testing::Test {
 protected:
  ImportRequest file(const Bytes& bytes) const {
    write_bytes(directory_.path() / "batch.bin", bytes);
    ImportRequest request;
    request.paths = {directory_.path() / "batch.bin"};
    return request;
  }

  ScratchDirectory directory_;
};

TEST_F(ImportCifar, TurnsPlanesIntoPixels) {
  Bytes record(3073, 0);
  record[0] = 7;
  record[1 + 1024 + 33] = 200;  // green of row 1, column 1

  const ImageSet set = read_cifar10(file(record));

  EXPECT_EQ(set.labels[0], 7);
  EXPECT_EQ(set.images[(32 + 1) * 3 + 1], 200);
}

TEST_F(ImportCifar, ReadsMoreRecordsThanOneBuffer) {
  const ImageSet expected = patterned_set(300, 32, 32, 3, 10);

  const ImageSet set = read_cifar10(file(cifar_records(expected, 1)));

  EXPECT_EQ(set.images, expected.images);
  EXPECT_EQ(set.labels, expected.labels);
}

TEST_F(ImportCifar, TakesTheLabelThatIsAskedFor) {
  const ImageSet expected = patterned_set(40, 32, 32, 3, 100);
  ImportRequest request = file(cifar_records(expected, 2));
  const ImageSet fine = read_cifar100(request);
  request.label_kind = LabelKind::coarse;
  const ImageSet coarse = read_cifar100(request);

  EXPECT_EQ(fine.labels[37], 37);
  EXPECT_EQ(fine.class_names[37], "house");
  EXPECT_EQ(coarse.labels[37], 7);
  EXPECT_EQ(coarse.class_names.size(), 20U);
}

TEST_F(ImportCifar, HalvesImagesByMeansOfFourPixels) {
  const ImageSet whole = patterned_set(3, 32, 32, 3, 10);
  ImportRequest request = file(cifar_records(whole, 1));
  request.size = 16;

  const ImageSet half = read_cifar10(request);

  EXPECT_EQ(half.height, 16U);
  EXPECT_EQ(half.width, 16U);
  ASSERT_EQ(half.images.size(), 3U * 16 * 16 * 3);
  for (std::size_t n = 0; n < 3; ++n)
    for (std::size_t y = 0; y < 16; ++y)
      for (std::size_t x = 0; x < 16; ++x)
        for (std::size_t c = 0; c < 3; ++c) {
          const auto at = [&](const std::size_t down, const std::size_t right) -> unsigned {
            return whole.images[((n * 32 + 2 * y + down) * 32 + 2 * x + right) * 3 + c];
          };
          const unsigned mean = (at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1) + 2) / 4;
          ASSERT_EQ(half.images[((n * 16 + y) * 16 + x) * 3 + c], mean) << n << ", " << y << ", " << x << ", " << c;
        }
}

TEST_F(ImportCifar, RefusesALabelOutOfRangeAndSaysWhere) {
  Bytes records = cifar_records(patterned_set(2, 32, 32, 3, 10), 1);
  records[3073] = 10;
  try {
    read_cifar10(file(records));
    FAIL() << "label 10 was accepted";
  } catch (const bcr::IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("batch.bin at byte 3073] expected a class label below 10, received 10"));
  }
}

TEST_F(ImportCifar, DemandsThePublishedNumberOfRecordsInAPublishedDirectory) {
  write_bytes(directory_.path() / "test_batch.bin", cifar_records(patterned_set(3, 32, 32, 3, 10), 1));
  ImportRequest request;
  request.paths = {directory_.path()};
  request.part = Part::test;
  try {
    read_cifar10(request);
    FAIL() << "a cut batch was accepted";
  } catch (const bcr::IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected the 10000 records of the published file, received 3"));
  }
}

TEST(CifarNames, AreDistinctAndInAlphabeticalOrder) {
  const auto fine = cifar100_fine_class_names();

  EXPECT_EQ(cifar10_class_names().size(), 10U);
  EXPECT_EQ(fine.size(), 100U);
  EXPECT_EQ(cifar100_coarse_class_names().size(), 20U);
  EXPECT_TRUE(std::is_sorted(fine.begin(), fine.end()));
  EXPECT_EQ(std::set<std::string>(fine.begin(), fine.end()).size(), 100U);
}

}  // namespace
