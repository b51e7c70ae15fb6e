#include "tests/ranks/ranks.hpp"

#include <numeric>
#include <string>

namespace bcr::test {
namespace {

using comm::Pieces;
using comm::Transfer;

template <class T>
std::byte* bytes_of(std::vector<T>& values) {
  return reinterpret_cast<std::byte*>(values.data());
}

TEST(Ranks, HearRankZero) {
  int value = ranks().rank() + 7;
  std::vector<double> list(1000, ranks().rank());

  ranks().broadcast(value);
  ranks().broadcast(std::as_writable_bytes(std::span(list)));

  BCR_EXPECT_ON_ALL_RANKS(value == 7);
  BCR_EXPECT_ON_ALL_RANKS(list == std::vector<double>(1000, 0.0));
}

TEST(Ranks, KnowWhatAllHave) {
  const std::vector<int> list(static_cast<std::size_t>(ranks().rank() % 3), ranks().rank());  // empty on rank 0
  std::vector<int> expected_values, expected_list;
  for (int rank = 0; rank < ranks().size(); ++rank) {
    expected_values.push_back(10 * rank);
    for (int i = 0; i < rank % 3; ++i) expected_list.push_back(rank);
  }

  ranks().barrier();

  BCR_EXPECT_ON_ALL_RANKS(ranks().gather_values(10 * ranks().rank()) == expected_values);
  BCR_EXPECT_ON_ALL_RANKS(ranks().gather_lists(list) == expected_list);
}

/// Number i of what rank `from` has for everybody.
double number(const int from, const std::size_t i) {
  return from * 1000.0 + double(i);
}

TEST(Ranks, ExchangeAndSharePieces) {
  const auto count = static_cast<std::size_t>(ranks().size());
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{100'003}}) {
    const std::size_t piece = (size + count - 1) / count;
    std::vector<double> send(size), received(piece * count, -1);
    for (std::size_t i = 0; i < size; ++i) send[i] = number(ranks().rank(), i);
    const Pieces pieces{bytes_of(send), size * sizeof(double), piece * sizeof(double)};
    const auto own = static_cast<std::size_t>(ranks().rank());
    const std::size_t begin = std::min(own * piece, size), end = std::min(begin + piece, size);

    const auto transfer = ranks().exchange(pieces, bytes_of(received), ranks().new_channel());
    ranks().wait(*transfer);
    const int channel = ranks().new_channel();
    bool exchanged = true;
    for (std::size_t from = 0; from < count; ++from)
      for (std::size_t i = begin; i < end && from != own; ++i)
        exchanged = exchanged && received[from * piece + i - begin] == number(int(from), i);
    const auto shared = ranks().share(pieces, channel);
    ranks().wait(*shared);
    bool is_shared = true;
    for (std::size_t i = 0; i < size; ++i) is_shared = is_shared && send[i] == number(int(i / piece), i);

    BCR_EXPECT_ON_ALL_RANKS(exchanged);
    BCR_EXPECT_ON_ALL_RANKS(is_shared);
  }
}

TEST(Ranks, MayBeginTransfersOfDifferentChannelsInDifferentOrders) {
  const auto count = static_cast<std::size_t>(ranks().size());
  std::vector<int> first(count, ranks().rank()), second(count, 100 + ranks().rank());
  const int one = ranks().new_channel(), two = ranks().new_channel();
  const auto begin = [&](std::vector<int>& list, const int channel) {
    return ranks().share({bytes_of(list), count * sizeof(int), sizeof(int)}, channel);
  };
  std::unique_ptr<Transfer> a, b;
  if (ranks().rank() % 2 == 0) {
    a = begin(first, one);
    b = begin(second, two);
  } else {
    b = begin(second, two);
    a = begin(first, one);
  }
  ranks().wait(*a);
  ranks().wait(*b);
  std::vector<int> expected(count);
  std::iota(expected.begin(), expected.end(), 0);
  BCR_EXPECT_ON_ALL_RANKS(first == expected);
  for (int& value : expected) value += 100;
  BCR_EXPECT_ON_ALL_RANKS(second == expected);
}

}  // namespace
}  // namespace bcr::test
