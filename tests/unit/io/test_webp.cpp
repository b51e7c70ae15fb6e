#include "io/images/picture_file.hpp"
#include "src/core/error.hpp"
#include "src/core/random.hpp"
#include "tests/support/format_writers.hpp"

#include <gtest/gtest.h>
#include <webp/encode.h>

#include <cstdlib>
#include <functional>

namespace {

using namespace bcr::io;
using bcr::test::Bytes;

Picture patterned(const std::size_t height, const std::size_t width) {
  return bcr::test::picture_of(bcr::test::patterned_set(1, height, width, 3, 1), 0);
}

Bytes encoded(const std::function<std::size_t(std::uint8_t**)>& encode) {
  std::uint8_t* memory = nullptr;
  const std::size_t size = encode(&memory);
  Bytes bytes(memory, memory + size);
  WebPFree(memory);
  return bytes;
}

Bytes lossless(const Picture& picture) {
  const int width = static_cast<int>(picture.width);
  const int height = static_cast<int>(picture.height);
  return encoded([&](auto** out) { return WebPEncodeLosslessRGB(picture.rgb.data(), width, height, 3 * width, out); });
}

Bytes lossy(const Picture& picture) {
  const int width = static_cast<int>(picture.width);
  const int height = static_cast<int>(picture.height);
  return encoded([&](auto** out) { return WebPEncodeRGB(picture.rgb.data(), width, height, 3 * width, 90, out); });
}

TEST(Webp, GivesBackWhatWasEncoded) {
  for (const auto& [height, width] : {std::pair<std::size_t, std::size_t>{1, 1}, {7, 5}, {65, 130}}) {
    const Picture picture = patterned(height, width);

    const Picture decoded = decode_picture(lossless(picture), "picture");

    EXPECT_EQ(decoded.height, height);
    EXPECT_EQ(decoded.width, width);
    EXPECT_EQ(decoded.rgb, picture.rgb);
  }
  Picture flat{16, 24, Bytes(16 * 24 * 3, 90)};
  for (const std::uint8_t value : decode_webp(lossy(flat), "picture").rgb) EXPECT_LE(std::abs(value - 90), 4);
}

TEST(Webp, IsSetUprightAsItsExifChunkSays) {
  Bytes bytes = lossless(patterned(2, 3));
  // An EXIF chunk behind the picture needs the extended header: flags, then width and height less one, 3 bytes each.
  const Bytes header = {'V', 'P', '8', 'X', 10, 0, 0, 0, 8, 0, 0, 0, 2, 0, 0, 1, 0, 0};
  bytes.insert(bytes.begin() + 12, header.begin(), header.end());
  const Bytes chunk = {'E', 'X', 'I',  'F', 26, 0, 0, 0, 'M', 'M', 0, 42, 0, 0, 0, 8, 0,
                       1,   1,   0x12, 0,   3,  0, 0, 0, 1,   0,   6, 0,  0, 0, 0, 0, 0};
  bytes.insert(bytes.end(), chunk.begin(), chunk.end());
  for (std::size_t i = 0; i < 4; ++i) bytes[4 + i] = static_cast<std::uint8_t>((bytes.size() - 8) >> 8 * i);

  const Picture decoded = decode_webp(bytes, "picture");

  EXPECT_EQ(decoded.height, 3U);
  EXPECT_EQ(decoded.width, 2U);
}

TEST(Webp, IsReadOrRefusedButNeverCrashes) {
  for (const Bytes& good : {lossless(patterned(20, 30)), lossy(patterned(20, 30))}) {
    std::size_t refused = 0;
    for (std::uint64_t i = 0; i < 2000; ++i) {
      bcr::Random random(20261118, bcr::Stream("webp"), 0, i);
      Bytes bad = good;
      for (std::uint64_t change = 0; change <= random.below(4); ++change)
        bad[random.below(bad.size())] = static_cast<std::uint8_t>(random.below(256));
      if (random.below(4) == 0) bad.resize(random.below(bad.size()));
      try {
        const Picture picture = decode_webp(bad, "picture");
        EXPECT_EQ(picture.rgb.size(), picture.height * picture.width * 3);
      } catch (const bcr::IoError&) {
        ++refused;
      }
    }
    EXPECT_GT(refused, 100U);
  }
}

}  // namespace
