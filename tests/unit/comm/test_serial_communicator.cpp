#include "src/comm/communicator.hpp"

#include <gtest/gtest.h>

namespace bcr::comm {
namespace {

TEST(SerialCommunicators, AnswerForTheOnlyRank) {
  SerialCommunicator alone;
  double value = 3;

  alone.barrier();
  alone.broadcast(value);

  EXPECT_EQ(alone.size(), 1);
  EXPECT_TRUE(alone.is_root());
  EXPECT_EQ(value, 3);
  EXPECT_EQ(alone.gather_values(7), std::vector<int>{7});
  EXPECT_EQ(alone.gather_lists(std::vector<double>{1, 2}), (std::vector<double>{1, 2}));
  EXPECT_TRUE(alone.gather_lists(std::vector<float>{}).empty());
}

TEST(PiecesOfAMessage, CoverItOnce) {
  std::byte bytes[10];
  const Pieces pieces{bytes, 10, 4};

  EXPECT_EQ(pieces.of(0).size(), 4u);
  EXPECT_EQ(pieces.of(2).data(), bytes + 8);
  EXPECT_EQ(pieces.of(2).size(), 2u);
  EXPECT_EQ(pieces.of(3).size(), 0u);
}

}  // namespace
}  // namespace bcr::comm
