#include "src/train/batches/gather_thread.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace bcr::train {
namespace {

TEST(GatherThreads, FillWhatTheyAreGivenInTurn) {
  GatherThread thread([](const PositionRange range, std::uint8_t* const dst) {
    for (std::size_t i = 0; i < range.count; ++i) dst[i] = static_cast<std::uint8_t>(range.first + i);
  });
  std::vector<std::uint8_t> a(100), b(100);

  for (std::uint64_t round = 0; round < 1000; ++round) {
    thread.start({round, 100}, a.data());
    thread.start({round + 7, 100}, b.data());
    thread.wait();

    ASSERT_EQ(a[99], static_cast<std::uint8_t>(round + 99));
    ASSERT_EQ(b[0], static_cast<std::uint8_t>(round + 7));
  }
}

TEST(GatherThreads, HandOnWhatWasThrownAndGoOn) {
  GatherThread thread([](const PositionRange range, std::uint8_t* const dst) {
    if (range.count == 0) throw std::runtime_error("nothing to fetch");
    *dst = 1;
  });
  std::uint8_t byte = 0;

  thread.start({0, 0}, &byte);
  EXPECT_THROW(thread.wait(), std::runtime_error);
  thread.start({0, 1}, &byte);
  EXPECT_NO_THROW(thread.wait());

  EXPECT_EQ(byte, 1);
}

TEST(GatherThreads, EndWhileTheyAreAtWork) {
  std::atomic<int> fetched = 0;
  for (int i = 0; i < 50; ++i) {
    std::uint8_t byte = 0;
    GatherThread thread([&fetched](PositionRange, std::uint8_t* const dst) {
      *dst = 1;
      ++fetched;
    });
    thread.start({0, 1}, &byte);
  }
  EXPECT_LE(fetched, 50);
}

}  // namespace
}  // namespace bcr::train
