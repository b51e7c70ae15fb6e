#include "src/core/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace {

using bcr::Permutation;
using bcr::Stream;

std::vector<std::uint64_t> order(const std::uint64_t size, const std::uint64_t seed, const std::uint32_t epoch) {
  const Permutation permutation(size, seed, Stream("shuffle"), epoch);
  std::vector<std::uint64_t> items(size);
  for (std::uint64_t i = 0; i < size; ++i) items[i] = permutation(i);
  return items;
}

void expect_bijection(const std::uint64_t size, const std::uint64_t seed) {
  std::vector<std::uint64_t> sorted = order(size, seed, 0);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint64_t> identity(size);
  std::iota(identity.begin(), identity.end(), 0);
  EXPECT_EQ(sorted, identity) << "size " << size << ", seed " << seed;
}

TEST(Permutation, IsABijectionOfEverySmallSize) {
  for (std::uint64_t size = 0; size <= 300; ++size) expect_bijection(size, size);
}

TEST(Permutation, IsABijectionAroundPowersOfTwoAndOfPrimes) {
  for (const std::uint64_t power : {512, 1024, 4096, 65536}) {
    for (const std::uint64_t size : {power - 1, power, power + 1}) expect_bijection(size, 1);
  }
  for (const std::uint64_t prime : {997, 60013, 100003}) expect_bijection(prime, 2);
}

TEST(Permutation, StaysInsideAndDistinctForHugeSizes) {
  for (const std::uint64_t size : {(1ull << 32) + 1, (1ull << 33) - 1, 1ull << 63}) {
    const Permutation permutation(size, 5, Stream("shuffle"), 0);
    std::vector<std::uint64_t> items;
    for (std::uint64_t i = 0; i < 1000; ++i) items.push_back(permutation(size - 1 - i));
    std::sort(items.begin(), items.end());

    EXPECT_EQ(std::unique(items.begin(), items.end()), items.end());
    EXPECT_LT(items.back(), size);
    EXPECT_GT(items.back(), size - size / 50) << "all of the range is reached";
  }
}

// From a second implementation, in Python. Stored runs depend on these: they may never change.
TEST(Permutation, IsFixedForEver) {
  const auto larger = order(1000, 1, 3);

  EXPECT_EQ(order(10, 1, 0), (std::vector<std::uint64_t>{4, 0, 7, 6, 2, 5, 8, 9, 3, 1}));
  EXPECT_EQ(std::vector(larger.begin(), larger.begin() + 5), (std::vector<std::uint64_t>{204, 158, 820, 14, 444}));
}

TEST(Permutation, DiffersBetweenSeedsStreamsAndEpochs) {
  const auto reference = order(1000, 1, 0);
  const Permutation other_stream(1000, 1, Stream("other"), 0);
  std::vector<std::uint64_t> other(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) other[i] = other_stream(i);

  for (const auto& items : {order(1000, 2, 0), order(1000, 1, 1), other}) {
    int same = 0;
    for (std::size_t i = 0; i < 1000; ++i) same += items[i] == reference[i];
    EXPECT_LT(same, 10) << "two random orders agree in one place on average";
  }
}

// Every one of the n! orders of n items must be equally likely over epochs: chi-square with n! - 1 degrees of freedom.
void expect_all_orders_equally_likely(const std::uint64_t size, const int orders) {
  constexpr int expected = 400;
  std::map<std::vector<std::uint64_t>, int> counts;
  for (int epoch = 0; epoch < expected * orders; ++epoch) ++counts[order(size, 99, epoch)];

  double chi_square = 0;
  for (const auto& [items, count] : counts) chi_square += (count - expected) * (count - expected) / double(expected);
  ASSERT_EQ(counts.size(), static_cast<std::size_t>(orders));
  const double freedom = orders - 1;
  EXPECT_LT(chi_square, freedom + 5 * std::sqrt(2 * freedom)) << "size " << size;
}

TEST(Permutation, MakesAllOrdersOfFewItemsEquallyLikely) {
  expect_all_orders_equally_likely(2, 2);
  expect_all_orders_equally_likely(3, 6);
  expect_all_orders_equally_likely(4, 24);
  expect_all_orders_equally_likely(5, 120);
}

// A shuffle that keeps neighbours together would spoil batches: the pair (p(i), p(i + 1)) must be as good as random.
TEST(Permutation, SeparatesNeighbours) {
  constexpr std::uint64_t size = 50000;
  const auto items = order(size, 3, 0);
  std::vector<int> counts(100);

  for (std::size_t i = 0; i + 1 < size; ++i) ++counts[(items[i] * 10 / size) * 10 + items[i + 1] * 10 / size];

  double chi_square = 0;
  for (const int count : counts) chi_square += (count - 500.0) * (count - 500.0) / 500.0;
  EXPECT_NEAR(chi_square, 90, 5 * 14.07);
}

}  // namespace
