#include "io/images/orientation.hpp"
#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"
#include "tests/support/format_writers.hpp"
#include "tests/support/scratch_directory.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <stdexcept>

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

/// A surface that halves of its size show as well.
Picture slope(const std::size_t height, const std::size_t width) {
  Picture picture{height, width, {}};
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      for (std::size_t c = 0; c < 3; ++c) picture.rgb.push_back(static_cast<std::uint8_t>(20 + y + (c + 1) * x / 2));
  return picture;
}

TEST(Jpeg, IsDecodedAtTheSmallestPartOfItsSizeThatIsEnough) {
  const Bytes bytes = bcr::test::jpeg(slope(75, 100), 95);
  const auto size = [&](const std::size_t height, const std::size_t width) {
    const Picture picture = decode_jpeg(bytes, "picture", {height, width});
    return std::pair(picture.height, picture.width);
  };
  using Size = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(size(0, 0), Size(75, 100));
  EXPECT_EQ(size(38, 51), Size(75, 100));
  EXPECT_EQ(size(38, 50), Size(38, 50));
  EXPECT_EQ(size(20, 20), Size(38, 50));
  EXPECT_EQ(size(19, 20), Size(19, 25));
  EXPECT_EQ(size(1, 1), Size(10, 13));
  EXPECT_EQ(size(500, 1), Size(75, 100));
}

TEST(Jpeg, OfAPartOfItsSizeShowsTheSamePicture) {
  const Picture whole = slope(64, 96);
  for (const std::size_t part : {std::size_t{2}, std::size_t{4}, std::size_t{8}}) {
    Picture expected{64 / part, 96 / part, std::vector<std::uint8_t>(64 / part * (96 / part) * 3)};
    area_resize(whole, {0, 0, 64, 96}, expected, {0, 0, expected.height, expected.width});

    const Picture decoded = decode_jpeg(bcr::test::jpeg(whole, 95), "picture", {expected.height, expected.width});

    ASSERT_EQ(decoded.rgb.size(), expected.rgb.size());
    for (std::size_t i = 0; i < expected.rgb.size(); ++i) EXPECT_LE(std::abs(decoded.rgb[i] - expected.rgb[i]), 6);
  }
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

/// Exactly what a JPEG encoder wrote, with other bytes put in front of the n-th marker of this kind.
Bytes with_bytes_before(Bytes jpeg, const std::uint8_t marker, const Bytes& more) {
  for (std::size_t i = 0; i + 1 < jpeg.size(); ++i) {
    if (jpeg[i] != 0xff || jpeg[i + 1] != marker) continue;
    jpeg.insert(jpeg.begin() + static_cast<std::ptrdiff_t>(i), more.begin(), more.end());
    return jpeg;
  }
  throw std::runtime_error("no such marker");
}

constexpr std::uint8_t quantisation_tables = 0xdb;
constexpr std::uint8_t end_of_image = 0xd9;

TEST(Jpeg, PassesOverBytesThatBelongToNothing) {
  const Bytes plain = bcr::test::jpeg(patterned(8, 24), 90);
  const Picture expected = decode_jpeg(plain, "picture");
  Bytes longer = plain;
  longer.insert(longer.end(), {0, 1, 2, 0xff, 0xd8, 0xff});

  EXPECT_EQ(decode_jpeg(longer, "picture").rgb, expected.rgb);
  EXPECT_EQ(decode_jpeg(with_bytes_before(plain, quantisation_tables, {7, 7, 7}), "picture").rgb, expected.rgb);
  EXPECT_EQ(decode_jpeg(with_bytes_before(plain, end_of_image, {0, 0}), "picture").rgb, expected.rgb);
  EXPECT_THROW(decode_jpeg(std::span(plain).first(plain.size() - 40), "picture"), bcr::IoError);
}

TEST(Jpeg, TurnsInkIntoLight) {
  // Adobe's CMYK, inverted: 255 is no ink. Red, green, blue times black, over 255.
  const Picture decoded = decode_jpeg(bcr::test::cmyk_jpeg(16, 8, {200, 100, 50, 128}), "picture");

  ASSERT_EQ(decoded.rgb.size(), 16U * 8 * 3);
  const int expected[3] = {200 * 128 / 255, 100 * 128 / 255, 50 * 128 / 255};
  for (std::size_t i = 0; i < decoded.rgb.size(); ++i) EXPECT_LE(std::abs(decoded.rgb[i] - expected[i % 3]), 3) << i;
}

/// An EXIF block with one entry.
Bytes exif(const std::uint8_t orientation, const bool big) {
  Bytes block = {'E', 'x', 'i', 'f', 0, 0};
  const auto put = [&](const std::uint32_t value, const int length) {
    for (int i = 0; i < length; ++i)
      block.push_back(static_cast<std::uint8_t>(value >> 8 * (big ? length - 1 - i : i)));
  };
  block.insert(block.end(), 2, big ? 'M' : 'I');
  put(42, 2);
  put(8, 4);
  put(1, 2);
  put(0x0112, 2);
  put(3, 2);
  put(1, 4);
  put(orientation, 2);
  put(0, 2);
  put(0, 4);
  return block;
}

TEST(Orientation, IsReadInEitherByteOrderAndUprightWhereItIsDamaged) {
  for (std::uint8_t orientation = 1; orientation <= 8; ++orientation) {
    EXPECT_EQ(exif_orientation(exif(orientation, true)), orientation);
    EXPECT_EQ(exif_orientation(exif(orientation, false)), orientation);
  }
  const Bytes whole = exif(6, true);
  EXPECT_EQ(exif_orientation({}), 1);
  EXPECT_EQ(exif_orientation(exif(9, true)), 1);
  for (std::size_t length = 0; length + 6 < whole.size(); ++length)
    EXPECT_EQ(exif_orientation(std::span(whole).first(length)), 1) << length;
}

TEST(Orientation, SetsUprightWhatEachNumberMeans) {
  // As TIFF 6.0 says where row 0 and column 0 are seen: 1 top, left; 2 top, right; 3 bottom, right; 4 bottom, left;
  // 5 left, top; 6 right, top; 7 right, bottom; 8 left, bottom.
  const Picture stored = patterned(2, 3);
  const auto pixel = [](const Picture& picture, const std::size_t y, const std::size_t x) {
    return Bytes(picture.rgb.begin() + std::ptrdiff_t((y * picture.width + x) * 3),
                 picture.rgb.begin() + std::ptrdiff_t((y * picture.width + x) * 3 + 3));
  };
  struct Seen {
    std::size_t y, x;
  };
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Picture seen = upright(stored, orientation);
    ASSERT_EQ(seen.height, orientation < 5 ? 2U : 3U);
    for (std::size_t row = 0; row < 2; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        const std::size_t last_row = 1 - row;
        const std::size_t last_column = 2 - column;
        const Seen where[] = {{row, column}, {row, last_column}, {last_row, last_column}, {last_row, column},
                              {column, row}, {column, last_row}, {last_column, last_row}, {last_column, row}};
        const Seen& at = where[orientation - 1];
        EXPECT_EQ(pixel(seen, at.y, at.x), pixel(stored, row, column)) << orientation;
      }
    }
  }
}

/// The same JPEG file with an EXIF block that says how it is to be turned.
Bytes turned(const Bytes& plain, const std::uint8_t orientation) {
  Bytes marker = {0xff, 0xe1, 0, 0};
  const Bytes block = exif(orientation, false);
  marker[3] = static_cast<std::uint8_t>(block.size() + 2);
  marker.insert(marker.end(), block.begin(), block.end());
  return with_bytes_before(plain, quantisation_tables, marker);
}

TEST(Orientation, OfAJpegFileIsThatOfItsExifBlock) {
  const Bytes plain = bcr::test::jpeg(patterned(8, 24), 90);

  const Picture decoded = decode_jpeg(turned(plain, 6), "picture");

  EXPECT_EQ(decoded.height, 24U);
  EXPECT_EQ(decoded.rgb, upright(decode_jpeg(plain, "picture"), 6).rgb);
}

TEST(Orientation, CountsForTheSizeThatIsEnough) {
  const Picture picture = decode_jpeg(turned(bcr::test::jpeg(slope(64, 96), 95), 6), "picture", {48, 32});

  EXPECT_EQ(picture.height, 48U);
  EXPECT_EQ(picture.width, 32U);
}

TEST(Bmp, GivesBackWhatWasStored) {
  for (const auto& [height, width] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 5}, {3, 9}, {16, 32}}) {
    const Picture picture = patterned(height, width);
    for (const int bits : {24, 32}) {
      EXPECT_EQ(decode_bmp(bcr::test::bmp(picture, bits, bcr::test::Rows::from_below), "picture").rgb, picture.rgb);
      EXPECT_EQ(decode_bmp(bcr::test::bmp(picture, bits, bcr::test::Rows::from_above), "picture").rgb, picture.rgb);
    }
    EXPECT_EQ(decode_picture(bcr::test::bmp(picture, 24, bcr::test::Rows::from_below), "picture").rgb, picture.rgb);
  }
}

TEST(Bmp, LooksColoursUp) {
  for (const int bits : {1, 4, 8}) {
    Picture picture{3, 11, {}};
    const std::size_t colours = std::size_t{1} << bits;
    for (std::size_t i = 0; i < 33; ++i)  // colour k is (k, 2 k, 255 - k)
      for (const std::size_t value : {i % colours, 2 * (i % colours) % 256, 255 - i % colours})
        picture.rgb.push_back(static_cast<std::uint8_t>(value));

    EXPECT_EQ(decode_bmp(bcr::test::palette_bmp(3, 11, bits), "picture").rgb, picture.rgb) << bits;
  }
}

TEST(Bmp, TakesChannelsByTheirMasks) {
  const Bytes file = bcr::test::masked_bmp(16, {0xf800, 0x07e0, 0x001f}, {0xf800, 0x07e0, 0x001f, 0x8410});

  // 5 and 6 bits scaled to 8: 16 / 31 and 32 / 63 of 255, to the nearest.
  EXPECT_EQ(decode_bmp(file, "picture").rgb, (Bytes{255, 0, 0, 0, 255, 0, 0, 0, 255, 132, 130, 132}));
}

TEST(Bmp, RefusesACutAnywhereAndLivesThroughAnyByte) {
  for (const Bytes& good :
       {bcr::test::bmp(patterned(4, 3), 24, bcr::test::Rows::from_below), bcr::test::palette_bmp(4, 3, 4),
        bcr::test::masked_bmp(16, {0xf800, 0x07e0, 0x1f}, {1, 2})}) {
    for (std::size_t length = 0; length < good.size(); ++length)
      EXPECT_THROW(decode_bmp(std::span(good).first(length), "picture"), bcr::IoError) << length;
    for (std::size_t i = 0; i < good.size(); ++i) {
      for (int value = 0; value < 256; ++value) {
        Bytes bad = good;
        bad[i] = static_cast<std::uint8_t>(value);
        try {
          const Picture picture = decode_bmp(bad, "picture");
          EXPECT_EQ(picture.rgb.size(), picture.height * picture.width * 3);
        } catch (const bcr::IoError&) {
        }
      }
    }
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
  EXPECT_TRUE(is_picture_name("d.webp"));
  EXPECT_TRUE(is_picture_name("e.BMP"));
  EXPECT_FALSE(is_picture_name("f.heic"));
  EXPECT_FALSE(is_picture_name("boxes.txt"));
  EXPECT_FALSE(is_picture_name("png"));
}

}  // namespace
