#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <cstdlib>

namespace {

using namespace bcr::io;
using bcr::test::Bytes;

Picture patterned(const std::size_t height, const std::size_t width) {
  return bcr::test::picture_of(bcr::test::patterned_set(1, height, width, 3, 1), 0);
}

TEST(Png, GivesBackWhatWasEncoded) {
  for (const auto& [height, width] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 5}, {65, 130}}) {
    const Picture picture = patterned(height, width);

    const Picture decoded = decode_png(encode_png(picture), "picture");

    EXPECT_EQ(decoded.height, height);
    EXPECT_EQ(decoded.width, width);
    EXPECT_EQ(decoded.rgb, picture.rgb);
  }
}

TEST(Png, RefusesAFlippedBitAnywhere) {
  const Bytes good = encode_png(patterned(4, 3));
  for (std::size_t i = 0; i < good.size(); ++i) {
    Bytes bad = good;
    bad[i] ^= 4;
    EXPECT_THROW(decode_png(bad, "picture"), bcr::IoError) << "byte " << i;
  }
}

TEST(Png, RefusesAPictureTooLargeForMemory) {
  Bytes bytes = encode_png(patterned(1, 1));
  const Bytes huge = {0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff};
  std::copy(huge.begin(), huge.end(), bytes.begin() + 16);  // the size; its CRC is wrong now, too

  EXPECT_THROW(decode_png(bytes, "picture"), bcr::IoError);
}

TEST(Jpeg, ComesCloseToWhatWasEncoded) {
  Picture smooth{16, 24, {}};
  for (std::size_t i = 0; i < 16 * 24 * 3; ++i) smooth.rgb.push_back(static_cast<std::uint8_t>(60 + i / 72 * 8));

  const Picture decoded = decode_jpeg(bcr::test::jpeg(smooth, 95), "picture");

  ASSERT_EQ(decoded.rgb.size(), smooth.rgb.size());
  EXPECT_EQ(decoded.height, 16U);
  for (std::size_t i = 0; i < smooth.rgb.size(); ++i) EXPECT_LE(std::abs(decoded.rgb[i] - smooth.rgb[i]), 4);
}

TEST(Jpeg, RefusesTheAbsurdSizeOfADamagedHeader) {
  Bytes bytes = bcr::test::jpeg(patterned(8, 8), 90);
  for (std::size_t i = 0; i + 8 < bytes.size(); ++i) {
    if (bytes[i] != 0xff || bytes[i + 1] != 0xc0) continue;
    for (std::size_t k = 5; k < 9; ++k) bytes[i + k] = 0xff;
    break;
  }
  try {
    decode_jpeg(bytes, "picture");
    FAIL() << "a picture of 65535 x 65535 was decoded";
  } catch (const bcr::IoError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("picture at byte"));
  }
}

TEST(PictureFile, KnowsAPictureByItsFirstBytesNotItsName) {
  const bcr::test::ScratchDirectory directory;
  const Picture picture = patterned(4, 4);
  bcr::test::write_bytes(directory.path() / "mislabelled.JPEG", encode_png(picture));

  EXPECT_EQ(read_picture(directory.path() / "mislabelled.JPEG").rgb, picture.rgb);
}

TEST(PictureFile, TellsPicturesByTheirEnding) {
  EXPECT_TRUE(is_picture_name("a.JPEG"));
  EXPECT_TRUE(is_picture_name("b.jpg"));
  EXPECT_TRUE(is_picture_name("c.Png"));
  EXPECT_FALSE(is_picture_name("boxes.txt"));
  EXPECT_FALSE(is_picture_name("png"));
}

}  // namespace
