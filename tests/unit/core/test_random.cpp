#include "src/core/context.hpp"
#include "src/core/random.hpp"
#include "src/core/views.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace {

using bcr::PhiloxCounter;
using bcr::PhiloxKey;
using bcr::Random;
using bcr::Stream;

void expect_words(const PhiloxCounter& received, const PhiloxCounter& expected) {
  for (int i = 0; i < 4; ++i) EXPECT_EQ(received[i], expected[i]) << "word " << i;
}

// The known answers that the authors of Philox publish with their library.
TEST(Philox, GivesThePublishedWordsOfZeros) {
  expect_words(bcr::philox4x32({0, 0, 0, 0}, {0, 0}), {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
}

TEST(Philox, GivesThePublishedWordsOfOnes) {
  constexpr std::uint32_t ones = 0xffffffff;

  expect_words(bcr::philox4x32({ones, ones, ones, ones}, {ones, ones}),
               {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
}

TEST(Philox, GivesThePublishedWordsOfTheDigitsOfPi) {
  const PhiloxCounter counter = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
  const PhiloxKey key = {0xa4093822, 0x299f31d0};

  expect_words(bcr::philox4x32(counter, key), {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(Random, PlacesSeedStreamEpochAndIndexAsDocumented) {
  const Stream stream("shuffle");
  const PhiloxKey key = {0x89abcdef, 0x01234567};
  const PhiloxCounter first = {0xdeadbeef, 0xcafe0000, 17, stream.id};
  const PhiloxCounter second = {0xdeadbeef, 0xcafe0001, 17, stream.id};

  Random random(0x0123456789abcdef, stream, 17, 0xcafedeadbeef);

  for (const PhiloxCounter& counter : {first, second}) {
    const PhiloxCounter expected = bcr::philox4x32(counter, key);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(random.word(), expected[i]);
  }
}

// From a second implementation, in Python. Stored runs depend on these: they may never change.
TEST(Random, IsFixedForEver) {
  Random random(1, Stream("test"), 2, 3);

  EXPECT_EQ(Stream("").id, 2872998923u);
  EXPECT_EQ(random.word64(), 17447292641889897399u);
  EXPECT_EQ(random.uniform<double>(), 0x1.f5cf0f7325ap-6);
  EXPECT_EQ(random.uniform<float>(), 0x1.aaf58p-4f);
  EXPECT_EQ(random.below(1000), 211u);
}

TEST(Random, DiffersWithEveryPartOfItsAddress) {
  const Stream stream("a");
  std::set<std::uint64_t> words;

  for (const std::uint64_t seed : {0ull, 1ull, 1ull << 32, 1ull << 63}) {
    for (const Stream each : {stream, Stream("b"), Stream("ab"), Stream("ba")}) {
      for (const std::uint32_t epoch : {0u, 1u, 0xffffffffu}) {
        for (const std::uint64_t index : {0ull, 1ull, 1ull << 32, (1ull << 48) - 1}) {
          words.insert(Random(seed, each, epoch, index).word64());
        }
      }
    }
  }

  EXPECT_EQ(words.size(), 4u * 4u * 3u * 4u);
}

TEST(Random, ContextDrawsWithItsSeed) {
  const bcr::Context<Kokkos::DefaultHostExecutionSpace> context{{}, 42, bcr::Log(bcr::LogLevel::off)};

  EXPECT_EQ(context.random(Stream("x"), 1, 2).word(), Random(42, Stream("x"), 1, 2).word());
  EXPECT_EQ(context.permutation(100, Stream("x"), 1)(7), bcr::Permutation(100, 42, Stream("x"), 1)(7));
}

// Chi-square with 99 degrees of freedom: mean 99, standard deviation sqrt(198) = 14.07; five of them around the mean.
double chi_square(const std::vector<int>& counts, const double expected) {
  double sum = 0;
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

template <class Draw>
void expect_uniform_in_100_bins(const Draw& draw) {
  std::vector<int> counts(100);
  for (int i = 0; i < 100000; ++i) {
    const double u = draw(i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    ++counts[static_cast<std::size_t>(u * 100)];
  }
  EXPECT_NEAR(chi_square(counts, 1000), 99, 5 * 14.07);
}

TEST(Random, IsUniformOverIndices) {
  expect_uniform_in_100_bins([](const int i) { return Random(7, Stream("u"), 0, i).uniform<double>(); });
  expect_uniform_in_100_bins([](const int i) { return Random(7, Stream("u"), 0, i).uniform<float>(); });
}

TEST(Random, IsUniformOverDraws) {
  Random random(7, Stream("u"), 0, 0);

  expect_uniform_in_100_bins([&](int) { return random.uniform<double>(); });
  expect_uniform_in_100_bins([&](int) { return static_cast<double>(random.below(1000)) / 1000; });
}

TEST(Random, UniformAboveZeroIsTheNextGridPoint) {
  Random from_zero(9, Stream("u"), 0, 0), above_zero(9, Stream("u"), 0, 0);

  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(above_zero.uniform_above_zero<double>(), from_zero.uniform<double>() + 0x1p-53);
    EXPECT_EQ(above_zero.uniform_above_zero<float>(), from_zero.uniform<float>() + 0x1p-24f);
  }
}

TEST(Random, BelowStaysBelowAndReachesEveryValue) {
  Random random(3, Stream("below"), 0, 0);
  for (const std::uint64_t bound : {1ull, 2ull, 3ull, 7ull, 64ull, 65ull}) {
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 2000; ++i) seen.insert(random.below(bound));

    EXPECT_EQ(seen.size(), bound);
    EXPECT_EQ(*seen.rbegin(), bound - 1);
  }
  EXPECT_EQ(random.below(0), 0u);
}

TEST(Random, BelowHandlesBoundsAroundTwoToThe32) {
  for (const std::uint64_t bound : {(1ull << 32) - 1, 1ull << 32, (1ull << 32) + 1, 3ull << 62, ~0ull}) {
    Random random(3, Stream("below"), 0, bound % 1000);
    std::uint64_t largest = 0;
    for (int i = 0; i < 1000; ++i) largest = std::max(largest, random.below(bound));

    EXPECT_LT(largest, bound);
    EXPECT_GT(largest, bound - bound / 50);
  }
}

// With bound 3 * 2^30 a plain multiplication would hit every third value twice as often as the others.
TEST(Random, BelowHasNoBias) {
  constexpr std::uint64_t bound = 3ull << 30;
  Random random(11, Stream("below"), 0, 0);
  std::vector<int> counts(3);

  for (int i = 0; i < 30000; ++i) ++counts[random.below(bound) % 3];

  EXPECT_LT(chi_square(counts, 10000), 20.0) << "two degrees of freedom";
}

template <class Exec>
class RandomOnDevice : public ::testing::Test {};
TYPED_TEST_SUITE(RandomOnDevice, bcr::test::ExecSpaces);

template <class Exec>
struct FillDraws {
  bcr::Matrix<double, Exec> draws;
  std::uint64_t seed;
  Stream stream;

  KOKKOS_FUNCTION void operator()(const int i) const {
    Random random(seed, stream, 5, static_cast<std::uint64_t>(i));
    const bcr::Permutation permutation(draws.extent(0), seed, stream, 5);
    draws(i, 0) = random.uniform<double>();
    draws(i, 1) = static_cast<double>(random.uniform<float>());
    draws(i, 2) = static_cast<double>(random.below(1000003));
    draws(i, 3) = static_cast<double>(permutation(static_cast<std::uint64_t>(i)));
  }
};

TYPED_TEST(RandomOnDevice, DrawsTheNumbersOfTheHost) {
  constexpr int size = 1001;
  const bcr::Matrix<double, TypeParam> draws("bcr::test::draws", size, 4);

  Kokkos::parallel_for("bcr::test::fill_draws", Kokkos::RangePolicy<TypeParam>(0, size),
                       FillDraws<TypeParam>{draws, 123, Stream("device")});
  const auto received = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), draws);

  const bcr::Permutation permutation(size, 123, Stream("device"), 5);
  for (int i = 0; i < size; ++i) {
    Random random(123, Stream("device"), 5, i);
    ASSERT_EQ(received(i, 0), random.uniform<double>());
    ASSERT_EQ(received(i, 1), random.uniform<float>());
    ASSERT_EQ(received(i, 2), random.below(1000003));
    ASSERT_EQ(received(i, 3), permutation(i));
  }
}

}  // namespace
