#include "src/nn/backends/algorithm_choice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace bcr::test {
namespace {

/// An entry of a library's list, as cuDNN has them.
struct Entry {
  char algo;
  std::size_t memory;
  bool is_deterministic = true;
};

nn::AlgorithmChoice<char> choose(const std::vector<Entry>& list, const std::size_t most_bytes) {
  const auto usable = [](const Entry& entry) { return entry.is_deterministic; };
  return nn::choose_algorithm(std::span(list), usable, most_bytes, "a convolution");
}

TEST(AlgorithmChoice, IsTheQuickestThatFits) {
  EXPECT_EQ(choose({{'a', 100}, {'b', 20}, {'c', 0}}, 50).algorithm, 'b');
  EXPECT_EQ(choose({{'a', 100}, {'b', 20}, {'c', 0}}, 100).algorithm, 'a');
  EXPECT_EQ(choose({{'a', 10, false}, {'b', 20}}, 50).algorithm, 'b');
}

TEST(AlgorithmChoice, TakesTheLeastWhereNothingFits) {
  // A batch that was not met when the workspace was measured.
  const auto choice = choose({{'a', 100}, {'b', 70}, {'c', 80}, {'d', 60, false}}, 50);
  EXPECT_EQ(choice.algorithm, 'b');
  EXPECT_EQ(choice.bytes, 70u);
}

TEST(AlgorithmChoice, RefusesAListWithoutAUsableOne) {
  EXPECT_THROW(choose({{'a', 0, false}}, 50), BackendError);
  EXPECT_THROW(choose({}, 50), BackendError);
}

TEST(AlgorithmChoice, AlignsUpwards) {
  alignas(256) std::array<std::byte, 512> room;
  EXPECT_EQ(nn::aligned(room.data(), 256), room.data());
  EXPECT_EQ(nn::aligned(room.data() + 1, 256), room.data() + 256);
  EXPECT_EQ(nn::aligned(room.data() + 255, 256), room.data() + 256);
}

}  // namespace
}  // namespace bcr::test
