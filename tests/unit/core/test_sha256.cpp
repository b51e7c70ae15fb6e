#include "src/core/sha256.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using bcr::Sha256;

class Sha256Test : public ::testing::TestWithParam<Sha256::Code> {
 protected:
  std::string hex(const std::string_view text) const { return bcr::to_hex(Sha256(GetParam()).update(text).digest()); }
};
INSTANTIATE_TEST_SUITE_P(Codes, Sha256Test, ::testing::Values(Sha256::Code::fastest, Sha256::Code::portable));

// FIPS 180-4 and the examples NIST publishes with it.
TEST_P(Sha256Test, GivesThePublishedDigests) {
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(
      hex("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
          "nopqrstu"),
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Every length around the block borders; the digest of all digests comes from Python's hashlib.
TEST_P(Sha256Test, IsRightForEveryLengthUpTo260) {
  Sha256 all(GetParam());
  for (int length = 0; length <= 260; ++length) {
    std::string text;
    for (int i = 0; i < length; ++i) text += static_cast<char>((i * 7 + length) & 255);
    all.update(Sha256(GetParam()).update(text).digest());
  }

  EXPECT_EQ(bcr::to_hex(all.digest()), "0cc209c6224061d707e13bec3a2030c118f26aa54893df4a7789e28ad756a7f0");
}

TEST_P(Sha256Test, DoesNotDependOnThePieces) {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1, 3, 63, 64, 65, 127, 128, 129, 999}) {
    Sha256 hash(GetParam());
    for (std::size_t begin = 0; begin < text.size(); begin += piece) hash.update(text.substr(begin, piece));

    EXPECT_EQ(bcr::to_hex(hash.digest()), hex(text)) << "pieces of " << piece;
  }
}

TEST_P(Sha256Test, MayContinueAfterADigest) {
  Sha256 hash(GetParam());
  hash.update("ab");

  EXPECT_EQ(bcr::to_hex(hash.digest()), hex("ab"));
  EXPECT_EQ(bcr::to_hex(hash.update("c").digest()), hex("abc"));
}

TEST(HashView, IsTypeShapeAndElements) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> view("bcr::test::view", 2, 3);
  for (int i = 0; i < 6; ++i) view.data()[i] = static_cast<float>(i);
  const Kokkos::View<std::int32_t*, Kokkos::HostSpace> empty("bcr::test::empty", 0);

  EXPECT_EQ(bcr::sha256_hex_of_view(view), "fbbdea38bd21ccc3aa9c28b6f9cdc386a288186affcdb74a78fdca0f54c3e2f1");
  EXPECT_EQ(bcr::sha256_hex_of_view(empty), "bffdf2445d953812eb896fa8961614826fc4a0094887c537190db762bebe0ae2");
  EXPECT_EQ(bcr::sha256_hex_of_view(empty), bcr::sha256_hex("int32[0]\n"));
}

TEST(HashView, SeesShapeAndType) {
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> wide("bcr::test::wide", 2, 3);
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> tall("bcr::test::tall", 3, 2);
  const Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> whole("bcr::test::whole", 2, 3);

  EXPECT_NE(bcr::sha256_hex_of_view(wide), bcr::sha256_hex_of_view(tall));
  EXPECT_NE(bcr::sha256_hex_of_view(wide), bcr::sha256_hex_of_view(whole));
}

}  // namespace
