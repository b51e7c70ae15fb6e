#include "src/core/ordered_workers.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>

namespace {

using Workers = bcr::OrderedWorkers<int, std::string>;

Workers::Source up_to(const int count) {
  return [next = 0, count]() mutable { return next < count ? std::optional(next++) : std::nullopt; };
}

/// Later tasks are done earlier.
std::string slow_at_first(const int task) {
  std::this_thread::sleep_for(std::chrono::microseconds(task % 7 == 0 ? 900 : 20));
  return std::to_string(task);
}

TEST(OrderedWorkers, GiveTheResultsInTheOrderOfTheTasks) {
  for (const std::size_t threads : {1, 2, 5}) {
    Workers workers(up_to(101), slow_at_first, threads, 8);
    std::vector<std::string> all;
    for (auto some = workers.take(3); !some.empty(); some = workers.take(3)) {
      EXPECT_LE(some.size(), 3U);
      all.insert(all.end(), some.begin(), some.end());
    }
    ASSERT_EQ(all.size(), 101U);
    for (int i = 0; i < 101; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)], std::to_string(i));
  }
}

TEST(OrderedWorkers, WorkNoFurtherAheadThanAskedFor) {
  std::atomic<int> begun = 0;
  Workers workers([&]() -> std::optional<int> { return begun++; }, slow_at_first, 3, 5);

  const auto settles_at = [&](const int count) {
    while (begun < count) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return begun == count;
  };
  EXPECT_TRUE(settles_at(5));
  for (const char* const expected : {"0", "1"}) EXPECT_EQ(workers.take(1), std::vector<std::string>{expected});
  EXPECT_TRUE(settles_at(7));
}

TEST(OrderedWorkers, DoNotHoldBackResultsForASourceThatWaits) {
  std::atomic<bool> goes_on = false;
  Workers workers(
      [&, next = 0]() mutable -> std::optional<int> {
        while (next == 2 && !goes_on) std::this_thread::yield();
        return next < 3 ? std::optional(next++) : std::nullopt;
      },
      slow_at_first, 2, 64);

  std::vector<std::string> first;
  while (first.size() < 2)
    for (const std::string& result : workers.take(50)) first.push_back(result);
  EXPECT_EQ(first, (std::vector<std::string>{"0", "1"}));
  goes_on = true;
  EXPECT_EQ(workers.take(50), std::vector<std::string>{"2"});  // 50 are never there: it must not wait for them
  EXPECT_TRUE(workers.take(50).empty());
}

TEST(OrderedWorkers, ThrowWhatTheWorkThrewInItsTurn) {
  Workers workers(
      up_to(5),
      [](const int task) {
        if (task == 2) throw std::runtime_error("two");
        return std::to_string(task);
      },
      2, 4);

  for (const char* const expected : {"0", "1"}) EXPECT_EQ(workers.take(1), std::vector<std::string>{expected});
  EXPECT_THROW(workers.take(4), std::runtime_error);
  for (const char* const expected : {"3", "4"}) EXPECT_EQ(workers.take(1), std::vector<std::string>{expected});
  EXPECT_TRUE(workers.take(1).empty());
  Workers together(
      up_to(3),
      [](const int task) {
        if (task == 1) throw std::runtime_error("one");
        return std::to_string(task);
      },
      1, 4);
  std::vector<std::string> before_it;
  while (before_it.empty()) before_it = together.take(3);
  EXPECT_EQ(before_it, std::vector<std::string>{"0"});
  EXPECT_THROW(together.take(3), std::runtime_error);
  EXPECT_EQ(together.take(3), std::vector<std::string>{"2"});
  Workers broken([]() -> std::optional<int> { throw std::runtime_error("source"); }, slow_at_first, 2, 4);
  EXPECT_THROW(broken.take(4), std::runtime_error);
}

TEST(OrderedWorkers, EndWithTasksLeft) {
  const Workers workers([next = 0]() mutable { return std::optional(next++); }, slow_at_first, 3, 16);
}

}  // namespace
