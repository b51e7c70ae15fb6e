#include "src/core/error.hpp"
#include "src/metrics/radix_sort.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace {

using Words = std::vector<std::uint64_t>;

Words make_words(const std::size_t size, const std::function<std::uint64_t(std::uint64_t)>& shape) {
  std::mt19937_64 random(size + 1);
  Words words(size);
  for (std::uint64_t& word : words) word = shape(random());
  return words;
}

Words sorted(Words words) {
  std::sort(words.begin(), words.end());
  return words;
}

Words radix_sorted(Words words) {
  Words scratch(words.size());
  bcr::metrics::radix_sort(words, scratch);
  return words;
}

constexpr std::size_t sizes[] = {0, 1, 2, 65, 97, 1000, 5001, 16384, 16385, 70001, 300007};

TEST(RadixSort, SortsUniformWords) {
  for (const std::size_t size : sizes) {
    const Words words = make_words(size, [](const std::uint64_t r) { return r; });

    EXPECT_EQ(radix_sorted(words), sorted(words)) << size;
  }
}

TEST(RadixSort, SortsEqualWords) {
  for (const std::size_t size : sizes) {
    const Words words = make_words(size, [](std::uint64_t) { return std::uint64_t{42}; });

    EXPECT_EQ(radix_sorted(words), words) << size;
  }
}

TEST(RadixSort, SortsFewDistinctWords) {
  for (const std::size_t size : sizes) {
    const Words words = make_words(size, [](const std::uint64_t r) { return (r % 3) << 40; });

    EXPECT_EQ(radix_sorted(words), sorted(words)) << size;
  }
}

TEST(RadixSort, SortsWordsThatCrowdAtOneEnd) {
  // All but one in a thousand lie in the lowest 2^-30 of the range, so one bucket of the first split holds nearly all.
  for (const std::size_t size : sizes) {
    const Words words = make_words(size, [](const std::uint64_t r) { return r % 1000 == 0 ? r : r >> 34; });

    EXPECT_EQ(radix_sorted(words), sorted(words)) << size;
  }
}

TEST(RadixSort, SortsSortedAndReversedWords) {
  const Words ascending = sorted(make_words(70001, [](const std::uint64_t r) { return r >> 3; }));
  const Words descending(ascending.rbegin(), ascending.rend());

  EXPECT_EQ(radix_sorted(ascending), ascending);
  EXPECT_EQ(radix_sorted(descending), ascending);
}

TEST(RadixSort, RefusesAScratchOfAnotherLength) {
  Words words(3);
  Words scratch(2);

  EXPECT_THROW(bcr::metrics::radix_sort(words, scratch), bcr::ShapeError);
}

}  // namespace
