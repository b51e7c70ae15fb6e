#include "src/core/error.hpp"
#include "src/metrics/conformal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace bcr::metrics {
namespace {

/// (1 + #{i : s_i <= s}) / (n + 1), counted.
double p_value_by_definition(const std::vector<double>& scores, const double s) {
  int count = 1;
  for (const double known : scores) count += known <= s ? 1 : 0;
  return double(count) / double(scores.size() + 1);
}

std::vector<double> draw(std::mt19937_64& random, const int count, const int steps) {
  std::vector<double> scores;
  for (int i = 0; i < count; ++i) scores.push_back(double(random() % std::uint64_t(steps)) / steps);
  return scores;
}

TEST(Conformal, HasThePValuesOfItsDefinition) {
  std::mt19937_64 random(1);
  for (const int count : {0, 1, 7, 65}) {
    const std::vector<double> scores = draw(random, count, 16);  // with ties
    const Conformal conformal(scores);

    for (int i = -1; i <= 17; ++i)
      EXPECT_EQ(conformal.p_value(i / 16.0), p_value_by_definition(scores, i / 16.0)) << count << " scores";
  }
}

TEST(Conformal, RejectsByItsThresholdWhatItRejectsByPValue) {
  std::mt19937_64 random(2);
  for (const int count : {0, 1, 18, 19, 20, 99, 1000}) {
    const Conformal conformal(draw(random, count, 64));
    for (const double alpha : {0.0, 0.01, 0.05, 0.1, 1.0 / 3, 0.5, 0.99}) {
      for (int i = -1; i <= 65; ++i)
        EXPECT_EQ(i / 64.0 < conformal.threshold(alpha), conformal.p_value(i / 64.0) <= alpha)
            << count << " scores, alpha " << alpha;
    }
  }
}

TEST(Conformal, NeedsNineteenScoresForOneInTwenty) {
  std::vector<double> scores(18, 1.0);
  EXPECT_EQ(Conformal(scores).threshold(0.05), -std::numeric_limits<double>::infinity());

  scores.push_back(1.0);

  EXPECT_EQ(Conformal(scores).threshold(0.05), 1.0);
}

TEST(Conformal, TakesAScoreThatIsNoNumberForTheWorst) {
  const Conformal conformal(std::vector<double>{1, 2, 3});

  EXPECT_EQ(conformal.p_value(std::nan("")), 0.25);
  EXPECT_THROW(Conformal(std::vector<double>{1, std::nan("")}), NumericsError);
  EXPECT_THROW(conformal.threshold(1), NumericsError);
  EXPECT_THROW(conformal.threshold(std::nan("")), NumericsError);
}

// Of m new samples after n others, the share that is rejected has a mean of at most alpha, and at least
// alpha - 1 / (n + 1) without ties, and a variance of alpha (1 - alpha) (1 / m + 1 / (n + 2)) at most: over 20 draws the
// mean stays within four of its deviations.
TEST(Conformal, RejectsAtMostItsShareOfKnownSamplesOverTwentyDraws) {
  constexpr double alpha = 0.05;
  constexpr int n = 200, m = 2000, draws = 20;
  std::mt19937_64 random(3);
  double mean = 0;
  for (int i = 0; i < draws; ++i) {
    const Conformal conformal(draw(random, n, 1 << 30));
    int rejected = 0;
    for (const double s : draw(random, m, 1 << 30)) rejected += conformal.p_value(s) <= alpha ? 1 : 0;
    mean += double(rejected) / m / draws;
  }

  const double deviation = std::sqrt(alpha * (1 - alpha) * (1.0 / m + 1.0 / (n + 2)) / draws);
  EXPECT_LE(mean, alpha + 4 * deviation);
  EXPECT_GE(mean, alpha - 1.0 / (n + 1) - 4 * deviation);
}

}  // namespace
}  // namespace bcr::metrics
