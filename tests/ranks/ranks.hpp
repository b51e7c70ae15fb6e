#ifndef BCR_TESTS_RANKS_RANKS_HPP
#define BCR_TESTS_RANKS_RANKS_HPP

#include "src/comm/communicator.hpp"

#include <gtest/gtest.h>

namespace bcr::test {

/// All ranks that run the tests.
comm::Communicator& ranks();

/// A failure of any rank fails the test on all, and is told by rank 0, the only one that prints.
inline void expect_on_all_ranks(const bool holds, const char* const what) {
  const std::vector<int> all = ranks().gather_values(holds ? 1 : 0);
  for (std::size_t rank = 0; rank < all.size(); ++rank) EXPECT_TRUE(all[rank] == 1) << what << ", on rank " << rank;
}

}  // namespace bcr::test

#define BCR_EXPECT_ON_ALL_RANKS(...) ::bcr::test::expect_on_all_ranks((__VA_ARGS__), #__VA_ARGS__)

#endif
