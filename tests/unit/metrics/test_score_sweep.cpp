#include "src/core/error.hpp"
#include "src/metrics/score_sweep.hpp"
#include "src/metrics/score_words.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <random>
#include <vector>

namespace {

using bcr::metrics::OpenSetScores;
using bcr::metrics::ScoreSweep;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Flags = std::vector<std::uint8_t>;

constexpr double infinite_score = std::numeric_limits<double>::infinity();

TEST(ScoreSweep, GroupsTiesAndCountsWhatEachThresholdAccepts) {
  const std::vector<double> known{3, 1, 3, 2};
  const Flags correct{1, 1, 0, 1};
  const std::vector<double> unknown{2, 2, 0};

  const ScoreSweep sweep(OpenSetScores<double>{known, correct, unknown});

  EXPECT_THAT(sweep.thresholds(), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(sweep.known_above(), ElementsAre(0, 2, 3, 4, 4));
  EXPECT_THAT(sweep.correct_above(), ElementsAre(0, 1, 2, 3, 3));
  EXPECT_THAT(sweep.unknown_above(), ElementsAre(0, 0, 2, 2, 3));
}

TEST(ScoreSweep, TreatsBothZerosAsOneScore) {
  const std::vector<float> known{-0.0f, 0.0f};
  const Flags correct{1, 1};
  const std::vector<float> unknown{0.0f, -0.0f};

  const ScoreSweep sweep(OpenSetScores<float>{known, correct, unknown});

  EXPECT_THAT(sweep.thresholds(), ElementsAre(0.0));
  EXPECT_THAT(sweep.unknown_above(), ElementsAre(0, 2));
}

TEST(ScoreSweep, OrdersInfinitiesSubnormalsAndTheWholeRange) {
  // This range of doubles needs all 64 bits of the ordered keys: the words are kept in several runs.
  constexpr double tiny = std::numeric_limits<double>::denorm_min();
  constexpr double huge = std::numeric_limits<double>::max();
  const std::vector<double> known{infinite_score, -huge, tiny, 1, -infinite_score};
  const Flags correct{1, 1, 1, 1, 1};
  const std::vector<double> unknown{-infinite_score, huge, -tiny, 0, -1, infinite_score};

  const ScoreSweep sweep(OpenSetScores<double>{known, correct, unknown});

  EXPECT_THAT(sweep.thresholds(), ElementsAre(infinite_score, huge, 1, tiny, 0, -tiny, -1, -huge, -infinite_score));
  EXPECT_THAT(sweep.known_above(), ElementsAre(0, 1, 1, 2, 3, 3, 3, 3, 4, 5));
  EXPECT_THAT(sweep.unknown_above(), ElementsAre(0, 1, 2, 2, 2, 3, 4, 5, 5, 6));
}

TEST(ScoreSweep, DoesNotJoinRunsWhoseLowBitsAgree) {
  // Keys that differ only in their highest bit: +x and a negative number with complementary bits.
  const double positive = 3.5;
  const double negative = bcr::metrics::score_of_key(bcr::metrics::order_key(positive) ^ (std::uint64_t{1} << 63));
  const std::vector<double> known{positive, infinite_score};
  const Flags correct{1, 1};
  const std::vector<double> unknown{negative, -infinite_score};

  const ScoreSweep sweep(OpenSetScores<double>{known, correct, unknown});

  EXPECT_THAT(sweep.thresholds(), ElementsAre(infinite_score, positive, negative, -infinite_score));
}

TEST(ScoreSweep, NamesTheIndexOfANan) {
  std::vector<float> known(200000, 1.0f);
  const Flags correct(known.size(), 1);
  std::vector<float> unknown(150000, 0.0f);
  unknown[123456] = std::numeric_limits<float>::quiet_NaN();
  unknown[140000] = std::numeric_limits<float>::quiet_NaN();
  const auto message = [&] {
    try {
      const ScoreSweep sweep(OpenSetScores<float>{known, correct, unknown});
    } catch (const bcr::NumericsError& error) {
      return std::string(error.what());
    }
    return std::string("nothing thrown");
  };

  EXPECT_THAT(message(), HasSubstr("NaN at index 123456 of the unknown scores"));
  known[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(message(), HasSubstr("NaN at index 7 of the known scores"));
}

TEST(ScoreSweep, RefusesLengthsAndFlagsThatDoNotFit) {
  const std::vector<double> known{1, 2};
  const std::vector<double> unknown{1};

  EXPECT_THROW(ScoreSweep(OpenSetScores<double>{known, Flags{1}, unknown}), bcr::ShapeError);
  EXPECT_THROW(ScoreSweep(OpenSetScores<double>{known, Flags{1, 2}, unknown}), bcr::ShapeError);
}

TEST(ScoreSweep, AcceptsEmptySets) {
  const std::vector<double> some{2, 1};

  EXPECT_EQ(ScoreSweep(OpenSetScores<double>{{}, {}, {}}).groups(), 0u);
  EXPECT_EQ(ScoreSweep(OpenSetScores<double>{{}, {}, some}).unknown(), 2);
  EXPECT_EQ(ScoreSweep(OpenSetScores<double>{some, Flags{0, 1}, {}}).correct(), 1);
}

TEST(ScoreSweep, CountsLikeAPlainLoopForManyScores) {
  // More than one part of every parallel loop; floats, so that low bits are dropped.
  std::mt19937 random(5);
  std::vector<float> known(90001);
  std::vector<float> unknown(200003);
  Flags correct(known.size());
  for (float& score : known) score = static_cast<float>(random() % 5000) / 64 - 40;
  for (float& score : unknown) score = static_cast<float>(random() % 4000) / 64 - 50;
  for (std::uint8_t& flag : correct) flag = random() % 3 == 0 ? 0 : 1;

  const ScoreSweep sweep(OpenSetScores<float>{known, correct, unknown});

  for (std::size_t i = 0; i < sweep.groups(); i += 97) {
    std::int32_t known_count = 0;
    std::int32_t correct_count = 0;
    std::int32_t unknown_count = 0;
    for (std::size_t j = 0; j < known.size(); ++j) {
      if (known[j] < sweep.thresholds()[i]) continue;
      ++known_count;
      correct_count += correct[j];
    }
    for (const float score : unknown) unknown_count += score >= sweep.thresholds()[i] ? 1 : 0;
    ASSERT_EQ(sweep.known_above()[i + 1], known_count) << i;
    ASSERT_EQ(sweep.correct_above()[i + 1], correct_count) << i;
    ASSERT_EQ(sweep.unknown_above()[i + 1], unknown_count) << i;
  }
  EXPECT_TRUE(std::is_sorted(sweep.thresholds().rbegin(), sweep.thresholds().rend()));
}

}  // namespace
