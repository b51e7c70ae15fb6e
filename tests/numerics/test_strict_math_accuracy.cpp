// exp, log, log1p, expm1, erfc, sigmoid and tanh against 50 digits: by regime, at the seams of the algorithms and at
// the range's ends.
#include "kernels/math/erfc.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/expm1.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"
#include "kernels/math/sigmoid.hpp"
#include "kernels/math/tanh.hpp"
#include "tests/support/accuracy_table.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/expm1.hpp>
#include <boost/math/special_functions/log1p.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

namespace strict = bcr::kernels::strict;
using Exact = boost::multiprecision::cpp_bin_float_50;

struct Exp {
  static constexpr const char* name = "exp";
  template <class T>
  static T computed(const T x) {
    return strict::exp(x);
  }
  static Exact exact(const Exact& x) { return exp(x); }
};

struct Log {
  static constexpr const char* name = "log";
  template <class T>
  static T computed(const T x) {
    return strict::log(x);
  }
  static Exact exact(const Exact& x) { return log(x); }
};

struct Log1p {
  static constexpr const char* name = "log1p";
  template <class T>
  static T computed(const T x) {
    return strict::log1p(x);
  }
  static Exact exact(const Exact& x) { return boost::math::log1p(x); }
};

struct Expm1 {
  static constexpr const char* name = "expm1";
  template <class T>
  static T computed(const T x) {
    return strict::expm1(x);
  }
  static Exact exact(const Exact& x) { return boost::math::expm1(x); }
};

struct Erfc {
  static constexpr const char* name = "erfc";
  template <class T>
  static T computed(const T x) {
    return strict::erfc(x);
  }
  static Exact exact(const Exact& x) { return boost::math::erfc(x); }
};

struct Sigmoid {
  static constexpr const char* name = "sigmoid";
  template <class T>
  static T computed(const T x) {
    return strict::sigmoid(x);
  }
  static Exact exact(const Exact& x) { return 1 / (1 + exp(-x)); }
};

struct Tanh {
  static constexpr const char* name = "tanh";
  template <class T>
  static T computed(const T x) {
    return strict::tanh(x);
  }
  static Exact exact(const Exact& x) {
    const Exact e = boost::math::expm1(Exact(2 * x));
    return e / (e + 2);
  }
};

template <class T>
std::vector<T> uniform(const double low, const double high, const int count = 3000) {
  std::mt19937_64 engine(31);
  std::uniform_real_distribution<double> draw(low, high);
  std::vector<T> points{static_cast<T>(low), static_cast<T>(high)};
  for (int i = 0; i < count; ++i) points.push_back(static_cast<T>(draw(engine)));
  return points;
}

/// sign 2^e with e uniform in [low, high]: every binade is met alike.
template <class T>
std::vector<T> binades(const T sign, const double low, const double high, const int count = 3000) {
  std::vector<T> points = uniform<T>(low, high, count);
  for (T& point : points) point = sign * static_cast<T>(std::exp2(static_cast<double>(point)));
  return points;
}

/// The 2 radius + 1 neighbours of each seam.
template <class T>
std::vector<T> around(const std::vector<double>& seams, const int radius = 24) {
  std::vector<T> points;
  for (const double seam : seams) {
    T point = static_cast<T>(seam);
    for (int i = 0; i < radius; ++i) point = std::nextafter(point, -std::numeric_limits<T>::infinity());
    for (int i = 0; i <= 2 * radius; ++i) {
      points.push_back(point);
      point = std::nextafter(point, std::numeric_limits<T>::infinity());
    }
  }
  return points;
}

/// (k + 1/2) ln 2, where the reduction of exp goes to the next power of two.
std::vector<double> exp_seams(const int lowest, const int highest, const int step) {
  std::vector<double> seams;
  for (int k = lowest; k <= highest; k += step) seams.push_back((k + 0.5) * std::log(2.0));
  return seams;
}

template <class Function, class T>
void expect_accurate(const std::string& regime, const std::vector<T>& points) {
  constexpr bool is_float = std::is_same_v<T, float>;
  bcr::test::Accuracy accuracy;
  for (const T x : points) {
    accuracy.add(bcr::test::ulp_error(Function::computed(x), Function::exact(Exact(x))), static_cast<double>(x));
  }
  bcr::test::print_accuracy(std::string(Function::name) + (is_float ? " float" : " double"), regime, accuracy);
  EXPECT_LE(accuracy.peak(),
            is_float ? bcr::test::tolerance::strict_math_float_ulp : bcr::test::tolerance::strict_math_ulp)
      << Function::name << ", " << regime << ", at " << accuracy.at();
  EXPECT_LE(accuracy.mean(), bcr::test::tolerance::strict_math_mean_ulp) << Function::name << ", " << regime;
}

/// What differs between the formats: where results leave the normal numbers and the finite ones.
template <class T>
struct Range;

template <>
struct Range<double> {
  static constexpr double exp_least = -745.13, exp_normal = -708.39, exp_most = 709.78;
  static constexpr double least_exponent = -1074, most_exponent = 1023.99;
  static constexpr double erfc_normal = 26.54, erfc_least = 27.22;
  static constexpr int seam_step = 97;
};

template <>
struct Range<float> {
  static constexpr double exp_least = -103.97, exp_normal = -87.33, exp_most = 88.72;
  static constexpr double least_exponent = -149, most_exponent = 127.99;
  static constexpr double erfc_normal = 9.19, erfc_least = 10.05;
  static constexpr int seam_step = 13;
};

template <class T>
class StrictMathAccuracy : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { bcr::test::print_accuracy_header(); }
};

using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(StrictMathAccuracy, Reals);

TYPED_TEST(StrictMathAccuracy, OfExpHoldsInEveryRegime) {
  using Limits = Range<TypeParam>;
  expect_accurate<Exp>("[-1, 1]", uniform<TypeParam>(-1, 1));
  expect_accurate<Exp>("normal results", uniform<TypeParam>(Limits::exp_normal, Limits::exp_most));
  expect_accurate<Exp>("subnormal results", uniform<TypeParam>(Limits::exp_least, Limits::exp_normal));
  expect_accurate<Exp>("tiny, positive", binades<TypeParam>(1, Limits::least_exponent, -2));
  expect_accurate<Exp>("tiny, negative", binades<TypeParam>(-1, Limits::least_exponent, -2));
  expect_accurate<Exp>("seams (k + 1/2) ln 2", around<TypeParam>(exp_seams(-3, 3, 1)));
  expect_accurate<Exp>("seams of the whole range",
                       around<TypeParam>(exp_seams(int(Limits::exp_normal), int(Limits::exp_most), Limits::seam_step)));
}

TYPED_TEST(StrictMathAccuracy, OfLogHoldsInEveryRegime) {
  using Limits = Range<TypeParam>;
  expect_accurate<Log>("[1/2, 2]", uniform<TypeParam>(0.5, 2));
  expect_accurate<Log>("near 1", uniform<TypeParam>(0.99, 1.01));
  expect_accurate<Log>("the whole range", binades<TypeParam>(1, Limits::least_exponent, Limits::most_exponent));
  expect_accurate<Log>("subnormal", binades<TypeParam>(1, Limits::least_exponent, Limits::least_exponent + 24));
  expect_accurate<Log>("below the seam sqrt(1/2)", uniform<TypeParam>(0.69, std::sqrt(0.5)));
  expect_accurate<Log>("above the seam sqrt(1/2)", uniform<TypeParam>(std::sqrt(0.5), 0.72));
  expect_accurate<Log>("neighbours of 1 and seams", around<TypeParam>({std::sqrt(0.5), 1, std::sqrt(2.0)}, 500));
}

TYPED_TEST(StrictMathAccuracy, OfLog1pHoldsInEveryRegime) {
  using Limits = Range<TypeParam>;
  expect_accurate<Log1p>("[-0.99, 2]", uniform<TypeParam>(-0.99, 2));
  expect_accurate<Log1p>("positive", binades<TypeParam>(1, Limits::least_exponent, Limits::most_exponent));
  expect_accurate<Log1p>("tiny, negative", binades<TypeParam>(-1, Limits::least_exponent, -1));
  expect_accurate<Log1p>("near -1", uniform<TypeParam>(-0.9999999, -0.99));
  expect_accurate<Log1p>("the seam sqrt(1/2) - 1", uniform<TypeParam>(-0.31, -0.27));
  expect_accurate<Log1p>("the seam sqrt(2) - 1", uniform<TypeParam>(0.39, 0.43));
  expect_accurate<Log1p>("[2, 1000]", uniform<TypeParam>(2, 1000));
  expect_accurate<Log1p>("neighbours of the seams",
                         around<TypeParam>({std::sqrt(0.5) - 1, std::sqrt(2.0) - 1, 1}, 200));
}

TYPED_TEST(StrictMathAccuracy, OfExpm1HoldsInEveryRegime) {
  using Limits = Range<TypeParam>;
  expect_accurate<Expm1>("[-1, 1]", uniform<TypeParam>(-1, 1, 10000));
  expect_accurate<Expm1>("[-45, 0]", uniform<TypeParam>(-45, 0));
  expect_accurate<Expm1>("positive", uniform<TypeParam>(0, Limits::exp_most));
  expect_accurate<Expm1>("tiny, positive", binades<TypeParam>(1, Limits::least_exponent, -1));
  expect_accurate<Expm1>("tiny, negative", binades<TypeParam>(-1, Limits::least_exponent, -1));
  expect_accurate<Expm1>("where 1 leaves the sum", uniform<TypeParam>(15, 40));
  expect_accurate<Expm1>("seams (k + 1/2) ln 2", around<TypeParam>(exp_seams(-3, 3, 1)));
}

TYPED_TEST(StrictMathAccuracy, OfErfcHoldsInEveryRegime) {
  using Limits = Range<TypeParam>;
  expect_accurate<Erfc>("[-6, 0]", uniform<TypeParam>(-6, 0, 1000));
  expect_accurate<Erfc>("[0, 1]", uniform<TypeParam>(0, 1, 1500));
  expect_accurate<Erfc>("[1, 5]", uniform<TypeParam>(1, 5, 1500));
  expect_accurate<Erfc>("[5, last normal]", uniform<TypeParam>(5, Limits::erfc_normal, 1000));
  expect_accurate<Erfc>("subnormal results", uniform<TypeParam>(Limits::erfc_normal, Limits::erfc_least, 500));
  expect_accurate<Erfc>("tiny", binades<TypeParam>(1, Limits::least_exponent, -1, 500));
  expect_accurate<Erfc>("neighbours of 0 and 3", around<TypeParam>({0, 3}));
}

TYPED_TEST(StrictMathAccuracy, OfSigmoidHoldsInEveryRegime) {
  using Limits = Range<TypeParam>;
  expect_accurate<Sigmoid>("[-1, 1]", uniform<TypeParam>(-1, 1, 10000));
  expect_accurate<Sigmoid>("[-10, 0]", uniform<TypeParam>(-10, 0, 10000));
  expect_accurate<Sigmoid>("[0, 40]", uniform<TypeParam>(0, 40));
  expect_accurate<Sigmoid>("normal results", uniform<TypeParam>(Limits::exp_normal, 0));
  expect_accurate<Sigmoid>("subnormal results", uniform<TypeParam>(Limits::exp_least, Limits::exp_normal));
  expect_accurate<Sigmoid>("tiny, positive", binades<TypeParam>(1, Limits::least_exponent, -2));
  expect_accurate<Sigmoid>("tiny, negative", binades<TypeParam>(-1, Limits::least_exponent, -2));
  expect_accurate<Sigmoid>("seams (k + 1/2) ln 2", around<TypeParam>(exp_seams(-3, 3, 1)));
  expect_accurate<Sigmoid>("where e leaves the sum", around<TypeParam>({-40, -20, 20, 40}));
}

TYPED_TEST(StrictMathAccuracy, OfTanhHoldsInEveryRegime) {
  using Limits = Range<TypeParam>;
  expect_accurate<Tanh>("[-1, 1]", uniform<TypeParam>(-1, 1, 10000));
  expect_accurate<Tanh>("[1, 10]", uniform<TypeParam>(1, 10, 10000));
  expect_accurate<Tanh>("[-25, 25]", uniform<TypeParam>(-25, 25));
  expect_accurate<Tanh>("tiny, positive", binades<TypeParam>(1, Limits::least_exponent, -1));
  expect_accurate<Tanh>("tiny, negative", binades<TypeParam>(-1, Limits::least_exponent, -1));
  expect_accurate<Tanh>("seams (k + 1/2) ln 2 / 2",
                        around<TypeParam>({std::log(2.0) / 4, 3 * std::log(2.0) / 4, 5 * std::log(2.0) / 4}, 200));
  expect_accurate<Tanh>("where it becomes 1", around<TypeParam>({9, 10, 19, 20}));
}

TEST(UlpError, CountsUnitsInTheLastPlaceAndRefusesNan) {
  const Exact one = 1;

  EXPECT_EQ(bcr::test::ulp_error(1.0, one), 0);
  EXPECT_EQ(bcr::test::ulp_error(std::nextafter(1.0, 2.0), one), 1);
  EXPECT_EQ(bcr::test::ulp_error(std::nextafter(1.0f, 2.0f), one), 1);
  EXPECT_EQ(bcr::test::ulp_error(0.0, ldexp(one, -1074)), 1);
  EXPECT_EQ(bcr::test::ulp_error(std::numeric_limits<double>::quiet_NaN(), one),
            std::numeric_limits<double>::infinity());
}

}  // namespace
