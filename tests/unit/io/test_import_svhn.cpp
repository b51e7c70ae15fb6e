#include "io/datasets/image_readers.hpp"
#include "io/hdf5/writer.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace {

using namespace bcr::io;
using namespace bcr::test;
using ::testing::HasSubstr;

class ImportSvhn : public ::testing::Test {
 protected:
  ImportRequest file(const Bytes& bytes) const {
    write_bytes(directory_.path() / "digits.mat", bytes);
    ImportRequest request;
    request.paths = {directory_.path() / "digits.mat"};
    return request;
  }

  std::string refusal(const ImportRequest& request) const {
    try {
      read_svhn(request);
    } catch (const bcr::IoError& error) {
      return error.what();
    }
    return "accepted";
  }

  ScratchDirectory directory_;
};

TEST_F(ImportSvhn, CallsTheDigitZeroZero) {
  const ImageSet digits = patterned_set(10, 2, 2, 3, 10);
  const Bytes bytes = mat5_digits(digits, Packing::plain);

  const ImageSet set = read_svhn(file(bytes));

  EXPECT_EQ(bytes[bytes.size() - 16], 10) << "the file has 10 where the digit is zero";
  EXPECT_EQ(set.labels[0], 0);
  EXPECT_EQ(set.labels[9], 9);
  EXPECT_EQ(set.class_names[0], "0");
}

TEST_F(ImportSvhn, JoinsVersionsFiveAndSevenThree) {
  const ImageSet digits = patterned_set(3, 4, 5, 3, 3);
  ImportRequest request = file(mat5_digits(digits, Packing::deflated));
  write_bytes(directory_.path() / "more.mat", mat73_digits(digits, directory_.path()));
  request.paths.push_back(directory_.path() / "more.mat");

  const ImageSet set = read_svhn(request);

  ASSERT_EQ(set.count, 6U);
  EXPECT_TRUE(std::equal(set.images.begin(), set.images.begin() + 180, set.images.begin() + 180));
}

TEST_F(ImportSvhn, RefusesALabelOutOfRange) {
  ImageSet digits = patterned_set(3, 2, 2, 3, 3);
  digits.labels[2] = 11;

  EXPECT_THAT(refusal(file(mat5_digits(digits, Packing::plain))), HasSubstr("received label 11 of image 2"));
  EXPECT_THAT(refusal(file(mat73_digits(digits, directory_.path()))), HasSubstr("received label 11 of image 2"));
}

TEST_F(ImportSvhn, RefusesALabelThatIsNotANumber) {
  const auto path = directory_.path() / "digits.mat";
  const std::vector<double> labels = {1, std::numeric_limits<double>::signaling_NaN()};
  {
    Hdf5Writer writer(path);
    writer.write("/X", {2, 3, 1, 1}, std::span<const std::uint8_t>(Bytes(6, 0)));
    writer.write("/y", {1, 2}, std::span(labels));
    writer.commit();
  }
  ImportRequest request;
  request.paths = {path};

  EXPECT_THAT(refusal(request), HasSubstr("received label -1 of image 1"));
}

TEST_F(ImportSvhn, RefusesCountsThatDoNotMatch) {
  ImageSet digits = patterned_set(3, 2, 2, 3, 3);
  digits.labels.push_back(1);
  Bytes bytes = mat5_digits(digits, Packing::plain);
  // y is the last variable: its data are the last eight bytes, before them a tag and the name, before these [N, 1].
  bytes[bytes.size() - 12] = 4;
  bytes[bytes.size() - 32] = 4;

  EXPECT_THAT(refusal(file(bytes)), HasSubstr("expected 3 labels in y, one for each image, received 4"));
}

TEST_F(ImportSvhn, RefusesAbsurdSizes) {
  Bytes bytes = mat5_digits(patterned_set(3, 2, 2, 3, 3), Packing::plain);
  bytes[128 + 8 + 16 + 8 + 3] = 0x7f;  // the height of X

  EXPECT_THAT(refusal(file(bytes)), HasSubstr("numbers, received 36 bytes of type 2"));
  bytes[128 + 8 + 16 + 8 + 7] = 0x7f;  // and its width
  EXPECT_THAT(refusal(file(bytes)), HasSubstr("dimensions of sensible size"));
}

}  // namespace
