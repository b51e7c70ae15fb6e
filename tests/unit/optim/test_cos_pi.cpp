#include "kernels/math/cos_pi.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using bcr::kernels::strict::cos_pi;

TEST(CosPi, IsExactAtTheEndsAndTheMiddle) {
  EXPECT_EQ(cos_pi(0), 1);
  EXPECT_EQ(cos_pi(0.5), 0);
  EXPECT_EQ(cos_pi(1), -1);
}

TEST(CosPi, IsWithinTheStatedErrorOfLongDouble) {
  constexpr long double pi = 3.141592653589793238462643383279502884L;
  double worst = 0;
  for (int i = 1; i < 100003; ++i) {
    const double x = i / 100003.0;
    const auto reference =
        x <= 0.75 && x >= 0.25 ? std::sin(pi * (0.5L - x)) : std::cos(pi * static_cast<long double>(x));
    const double ulp = std::abs(std::nextafter(static_cast<double>(reference), 2.0) - static_cast<double>(reference));
    worst = std::max(worst, static_cast<double>(std::abs(cos_pi(x) - reference)) / ulp);
  }

  EXPECT_LE(worst, bcr::test::tolerance::cos_pi_ulp);
}

TEST(CosPi, DecreasesAndIsOddAroundTheMiddle) {
  double last = 1;
  for (int i = 1; i <= 4096; ++i) {
    const double x = i / 4096.0;
    EXPECT_LT(cos_pi(x), last);
    EXPECT_EQ(cos_pi(x), -cos_pi(1 - x));
    last = cos_pi(x);
  }
}

}  // namespace
