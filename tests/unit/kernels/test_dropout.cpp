#include "kernels/norm/dropout_mask.hpp"
#include "kernels/norm/elementwise.hpp"
#include "tests/reference/batch_norm.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/invalid_trap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace bcr::test {
namespace {

using kernels::Dropout;
using kernels::DropoutMask;

template <class Exec>
class Elementwise : public ::testing::Test {};
TYPED_TEST_SUITE(Elementwise, ExecSpaces);

const std::vector<int> mask_lengths{0, 1, 7, 127, 128, 129, 1000, 65536, 70001};

TEST(DropoutMask, UsesTheKnownAnswersOfPhilox) {
  // Random123, kat_vectors: philox4x32 10 rounds, counter and key zero.
  const DropoutMask mask(Dropout{0.5, 0, 0, 0});
  std::uint16_t room[DropoutMask::padded(8)];

  const std::uint16_t* const halves = mask.fill(0, 8, room);

  const std::vector<std::uint16_t> known{0xe8d5, 0x6627, 0xc58d, 0xe169, 0xac4c, 0xbc57, 0xdbd8, 0x9b00};
  EXPECT_EQ(std::vector<std::uint16_t>(halves, halves + 8), known);
}

TEST(DropoutMask, ManyAtOnceAreTheSameAsOneByOne) {
  const Dropout dropout{0.37, 0xFEDCBA9876543210ull, 0xDEADBEEF, 12345};
  const DropoutMask mask(dropout);
  const std::uint64_t carry = (std::uint64_t{1} << 35) - 40;  // the low counter word overflows five blocks later
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1001}, carry, carry + 3}) {
    std::uint16_t room[DropoutMask::padded(300)];

    const std::uint16_t* const halves = mask.fill(first, 300, room);

    for (int i = 0; i < 300; ++i) {
      const bool expected = reference::is_kept(dropout.rate, dropout.seed, dropout.stream, dropout.step, first + i);
      EXPECT_EQ(halves[i] >= mask.threshold(), expected) << first << " + " << i;
      EXPECT_EQ(mask.keeps(first + i), expected) << first << " + " << i;
    }
  }
}

TEST(DropoutMask, PortableLoopsAndVectorCodeAgree) {
  std::uint16_t fast[DropoutMask::batch], plain[DropoutMask::batch];
  for (const std::uint64_t block : {std::uint64_t{0}, std::uint64_t{0xFFFFFFF8}, std::uint64_t{1} << 40}) {
    kernels::philox_blocks(block, 3, 4, {5, 6}, fast);
    kernels::philox_blocks_portable(block, 3, 4, {5, 6}, plain);

    EXPECT_TRUE(std::equal(fast, fast + DropoutMask::batch, plain)) << block;
  }
}

TEST(DropoutMask, DropsAtItsRateAndDifferentlyInEachStep) {
  constexpr int count = 1 << 18;
  for (const double rate : {0.1, 0.3, 0.5, 0.9}) {
    std::vector<std::uint16_t> room(DropoutMask::padded(count)), next(DropoutMask::padded(count));
    const DropoutMask mask(Dropout{rate, 1, 2, 3});
    mask.fill(0, count, room.data());
    DropoutMask(Dropout{rate, 1, 2, 4}).fill(0, count, next.data());

    int dropped = 0, both = 0;
    for (int i = 0; i < count; ++i) {
      dropped += room[i] < mask.threshold();
      both += room[i] < mask.threshold() && next[i] < mask.threshold();
    }

    const double deviations = 4;  // one chance in ten thousand, but the draw is fixed
    EXPECT_NEAR(dropped, count * rate, deviations * std::sqrt(count * rate * (1 - rate)));
    EXPECT_NEAR(both, count * rate * rate, deviations * std::sqrt(count * rate * rate * (1 - rate * rate)));
  }
}

TEST(Dropout, KeepsTheExpectationOfTheRoundedRate) {
  const Dropout dropout{0.3, 0, 0, 0};

  EXPECT_EQ(dropout.threshold(), 19660u);
  EXPECT_EQ(dropout.factor(), 1 / (1 - 19660.0 / 65536));
  EXPECT_FALSE(Dropout{}.active());
  EXPECT_EQ(Dropout{}.factor(), 1);
}

template <class Exec, class T>
void expect_plain_maps() {
  const Dropout dropout{0.3, 9, 8, 7};
  for (const int length : mask_lengths) {
    const auto a = random_reals<T>(1, length, -1, 1, 21).entries;
    const auto b = random_reals<T>(1, length, -1, 1, 22).entries;
    const auto left = to_device<Exec>(a), right = to_device<Exec>(b), sum = to_device<Exec>(b);
    const Vector<T, Exec> relu("bcr::tests::relu", length), back("bcr::tests::back", length);
    const Vector<T, Exec> kept("bcr::tests::kept", length);
    const Exec exec;

    kernels::relu_forward<Exec, T>(exec, left, relu);
    kernels::relu_backward<Exec, T>(exec, relu, right, back);
    kernels::dropout_map<Exec, T>(exec, left, dropout, kept);
    kernels::add<Exec, T>(exec, left, sum);

    std::vector<T> expected[4];
    for (std::size_t i = 0; i < a.size(); ++i) {
      expected[0].push_back(reference::relu(a[i]));
      expected[1].push_back(a[i] > 0 ? b[i] : T(0));
      expected[2].push_back(reference::is_kept(0.3, 9, 8, 7, i) ? a[i] * static_cast<T>(dropout.factor()) : T(0));
      expected[3].push_back(b[i] + a[i]);
    }
    EXPECT_TRUE(same_bits(to_host(relu), expected[0])) << length;
    EXPECT_TRUE(same_bits(to_host(back), expected[1])) << length;
    EXPECT_TRUE(same_bits(to_host(kept), expected[2])) << length;
    EXPECT_TRUE(same_bits(to_host(sum), expected[3])) << length;
  }
}

TYPED_TEST(Elementwise, MapsEqualPlainLoopsBitForBit) {
  expect_plain_maps<TypeParam, float>();
  expect_plain_maps<TypeParam, double>();
}

TYPED_TEST(Elementwise, ReluKeepsNaNAndMakesNegativeZeroPositive) {
  const InvalidTrapOff off;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto x = to_device<TypeParam>(std::vector<float>{nan, -0.0f, 2, -3});

  kernels::relu_forward<TypeParam, float>(TypeParam{}, x, x);

  const auto y = to_host(x);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_FALSE(std::signbit(y[1]));
  EXPECT_EQ(y[2], 2);
  EXPECT_EQ(y[3], 0);
}

TYPED_TEST(Elementwise, RefusesDifferentLengths) {
  const Vector<float, TypeParam> three("bcr::tests::three", 3), four("bcr::tests::four", 4);

  EXPECT_THROW((kernels::add<TypeParam, float>(TypeParam{}, three, four)), ShapeError);
  EXPECT_THROW((kernels::relu_forward<TypeParam, float>(TypeParam{}, three, four)), ShapeError);
  EXPECT_THROW((kernels::dropout_map<TypeParam, float>(TypeParam{}, three, {-0.1, 0, 0, 0}, three)), ConfigError);
}

}  // namespace
}  // namespace bcr::test
