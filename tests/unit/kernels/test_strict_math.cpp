#include "kernels/math/erfc.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/expm1.hpp"
#include "kernels/math/log.hpp"
#include "kernels/math/log1p.hpp"
#include "kernels/math/map.hpp"
#include "kernels/math/sigmoid.hpp"
#include "kernels/math/tanh.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

namespace {

namespace strict = bcr::kernels::strict;

/// The test main traps invalid operations; comparing a NaN is one.
class InvalidAllowed {
 public:
  InvalidAllowed() { std::feholdexcept(&environment_); }
  ~InvalidAllowed() { std::fesetenv(&environment_); }
  InvalidAllowed(const InvalidAllowed&) = delete;
  InvalidAllowed& operator=(const InvalidAllowed&) = delete;

 private:
  std::fenv_t environment_;
};

template <class T>
auto bits(const T x) {
  return std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(x);
}

template <class T>
class StrictMath : public ::testing::Test {
 protected:
  static constexpr T inf = std::numeric_limits<T>::infinity();
  static constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  static constexpr T least = std::numeric_limits<T>::denorm_min();
  static constexpr T smallest_normal = std::numeric_limits<T>::min();
  static constexpr T largest = std::numeric_limits<T>::max();
};

using Reals = ::testing::Types<double, float>;
TYPED_TEST_SUITE(StrictMath, Reals);

TYPED_TEST(StrictMath, ExpIsExactAtItsCorners) {
  using T = TypeParam;

  EXPECT_EQ(bits(strict::exp(T(0))), bits(T(1)));
  EXPECT_EQ(bits(strict::exp(T(-0.0))), bits(T(1)));
  EXPECT_EQ(bits(strict::exp(this->least)), bits(T(1)));
  EXPECT_EQ(bits(strict::exp(-this->least)), bits(T(1)));
  EXPECT_EQ(bits(strict::exp(this->inf)), bits(this->inf));
  EXPECT_EQ(bits(strict::exp(-this->inf)), bits(T(0)));
  EXPECT_EQ(bits(strict::exp(this->largest)), bits(this->inf));
  EXPECT_EQ(bits(strict::exp(-this->largest)), bits(T(0)));
}

TYPED_TEST(StrictMath, LogIsExactAtItsCorners) {
  using T = TypeParam;

  EXPECT_EQ(bits(strict::log(T(1))), bits(T(0)));
  EXPECT_EQ(bits(strict::log(T(0))), bits(-this->inf));
  EXPECT_EQ(bits(strict::log(T(-0.0))), bits(-this->inf));
  EXPECT_EQ(bits(strict::log(this->inf)), bits(this->inf));
  EXPECT_EQ(bits(strict::log(T(-1))), bits(this->nan));
  EXPECT_EQ(bits(strict::log(-this->least)), bits(this->nan));
  EXPECT_EQ(bits(strict::log(-this->inf)), bits(this->nan));
}

TYPED_TEST(StrictMath, Log1pIsExactAtItsCorners) {
  using T = TypeParam;

  EXPECT_EQ(bits(strict::log1p(T(0))), bits(T(0)));
  EXPECT_EQ(bits(strict::log1p(T(-0.0))), bits(T(-0.0)));
  EXPECT_EQ(bits(strict::log1p(this->least)), bits(this->least));
  EXPECT_EQ(bits(strict::log1p(-this->smallest_normal)), bits(-this->smallest_normal));
  EXPECT_EQ(bits(strict::log1p(T(-1))), bits(-this->inf));
  EXPECT_EQ(bits(strict::log1p(T(-2))), bits(this->nan));
  EXPECT_EQ(bits(strict::log1p(this->inf)), bits(this->inf));
  EXPECT_EQ(bits(strict::log1p(-this->inf)), bits(this->nan));
  EXPECT_EQ(bits(strict::log1p(this->largest)), bits(strict::log(this->largest)));
}

TYPED_TEST(StrictMath, Expm1IsExactAtItsCorners) {
  using T = TypeParam;

  EXPECT_EQ(bits(strict::expm1(T(0))), bits(T(0)));
  EXPECT_EQ(bits(strict::expm1(T(-0.0))), bits(T(-0.0)));
  EXPECT_EQ(bits(strict::expm1(this->least)), bits(this->least));
  EXPECT_EQ(bits(strict::expm1(-this->least)), bits(-this->least));
  EXPECT_EQ(bits(strict::expm1(this->inf)), bits(this->inf));
  EXPECT_EQ(bits(strict::expm1(this->largest)), bits(this->inf));
  EXPECT_EQ(bits(strict::expm1(-this->inf)), bits(T(-1)));
  EXPECT_EQ(bits(strict::expm1(-this->largest)), bits(T(-1)));
}

TYPED_TEST(StrictMath, ErfcIsExactAtItsCorners) {
  using T = TypeParam;

  EXPECT_EQ(bits(strict::erfc(T(0))), bits(T(1)));
  EXPECT_EQ(bits(strict::erfc(T(-0.0))), bits(T(1)));
  EXPECT_EQ(bits(strict::erfc(this->least)), bits(T(1)));
  EXPECT_EQ(bits(strict::erfc(-this->least)), bits(T(1)));
  EXPECT_EQ(bits(strict::erfc(this->inf)), bits(T(0)));
  EXPECT_EQ(bits(strict::erfc(-this->inf)), bits(T(2)));
  EXPECT_EQ(bits(strict::erfc(this->largest)), bits(T(0)));
  EXPECT_EQ(bits(strict::erfc(T(-30))), bits(T(2)));
}

TYPED_TEST(StrictMath, SigmoidIsExactAtItsCorners) {
  using T = TypeParam;

  EXPECT_EQ(bits(strict::sigmoid(T(0))), bits(T(0.5)));
  EXPECT_EQ(bits(strict::sigmoid(T(-0.0))), bits(T(0.5)));
  EXPECT_EQ(bits(strict::sigmoid(-this->least)), bits(T(0.5)));
  EXPECT_EQ(bits(strict::sigmoid(this->inf)), bits(T(1)));
  EXPECT_EQ(bits(strict::sigmoid(-this->inf)), bits(T(0)));
  EXPECT_EQ(bits(strict::sigmoid(this->largest)), bits(T(1)));
  EXPECT_EQ(bits(strict::sigmoid(-this->largest)), bits(T(0)));
}

TYPED_TEST(StrictMath, TanhIsExactAtItsCorners) {
  using T = TypeParam;

  EXPECT_EQ(bits(strict::tanh(T(0))), bits(T(0)));
  EXPECT_EQ(bits(strict::tanh(T(-0.0))), bits(T(-0.0)));
  EXPECT_EQ(bits(strict::tanh(this->least)), bits(this->least));
  EXPECT_EQ(bits(strict::tanh(-this->smallest_normal)), bits(-this->smallest_normal));
  EXPECT_EQ(bits(strict::tanh(this->inf)), bits(T(1)));
  EXPECT_EQ(bits(strict::tanh(-this->inf)), bits(T(-1)));
  EXPECT_EQ(bits(strict::tanh(-this->largest)), bits(T(-1)));
  EXPECT_EQ(bits(strict::tanh(T(-0.7))), bits(-strict::tanh(T(0.7))));
}

TYPED_TEST(StrictMath, EveryFunctionTurnsAnyNanIntoTheSameNan) {
  const InvalidAllowed allowed;
  const auto odd_nan = std::bit_cast<TypeParam>(static_cast<decltype(bits(TypeParam(0)))>(~0ull));

  const TypeParam nans[] = {this->nan, -this->nan, odd_nan};  // in the head of the loop, nvcc forgets the braces
  for (const TypeParam any : nans) {
    EXPECT_EQ(bits(strict::exp(any)), bits(this->nan));
    EXPECT_EQ(bits(strict::log(any)), bits(this->nan));
    EXPECT_EQ(bits(strict::log1p(any)), bits(this->nan));
    EXPECT_EQ(bits(strict::expm1(any)), bits(this->nan));
    EXPECT_EQ(bits(strict::erfc(any)), bits(this->nan));
    EXPECT_EQ(bits(strict::sigmoid(any)), bits(this->nan));
    EXPECT_EQ(bits(strict::tanh(any)), bits(this->nan));
  }
}

TYPED_TEST(StrictMath, NeitherFallsNorJumpsWhereExpChangesThePowerOfTwo) {
  using T = TypeParam;
  for (int k = -20; k <= 20; ++k) {
    T x = static_cast<T>((k + 0.5) * std::log(2.0));
    for (int i = 0; i < 50; ++i) x = std::nextafter(x, -this->inf);
    for (int i = 0; i < 100; ++i) {
      const T next = std::nextafter(x, this->inf);
      EXPECT_LE(strict::exp(x), strict::exp(next)) << x;
      EXPECT_LE(strict::expm1(x), strict::expm1(next)) << x;
      x = next;
    }
  }
}

TEST(StrictMathRange, ExpOverflowsAndUnderflowsAtTheRightNumbers) {
  EXPECT_EQ(strict::exp(0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023);
  EXPECT_EQ(strict::exp(0x1.62e42fefa39fp+9), std::numeric_limits<double>::infinity());
  EXPECT_EQ(strict::exp(-745.13), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(strict::exp(-745.14), 0.0);
  EXPECT_EQ(strict::exp(88.72283f), 0x1.ffff08p+127f);
  EXPECT_EQ(strict::exp(88.72284f), std::numeric_limits<float>::infinity());
  EXPECT_EQ(strict::exp(-103.97f), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(strict::exp(-103.98f), 0.0f);
}

TEST(StrictMathRange, Expm1OverflowsWhereExpDoes) {
  EXPECT_EQ(strict::expm1(0x1.62e42fefa39efp+9), strict::exp(0x1.62e42fefa39efp+9));
  EXPECT_EQ(strict::expm1(0x1.62e42fefa39fp+9), std::numeric_limits<double>::infinity());
}

TEST(StrictMathRange, ErfcUnderflowsGradually) {
  EXPECT_EQ(strict::erfc(27.226), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(strict::erfc(27.23), 0.0);
  EXPECT_EQ(strict::erfc(10.05f), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(strict::erfc(10.07f), 0.0f);
}

/// Names the array and the scalar form of each function for the tests below.
struct Exp {
  template <class Exec, class Src, class Dst>
  static void array(const Exec& exec, const Src& src, const Dst& dst) {
    strict::exp(exec, src, dst);
  }
  template <class T>
  static T scalar(const T x) {
    return strict::exp(x);
  }
};

struct Expm1 {
  template <class Exec, class Src, class Dst>
  static void array(const Exec& exec, const Src& src, const Dst& dst) {
    strict::expm1(exec, src, dst);
  }
  template <class T>
  static T scalar(const T x) {
    return strict::expm1(x);
  }
};

struct Log {
  template <class Exec, class Src, class Dst>
  static void array(const Exec& exec, const Src& src, const Dst& dst) {
    strict::log(exec, src, dst);
  }
  template <class T>
  static T scalar(const T x) {
    return strict::log(x);
  }
};

struct Log1p {
  template <class Exec, class Src, class Dst>
  static void array(const Exec& exec, const Src& src, const Dst& dst) {
    strict::log1p(exec, src, dst);
  }
  template <class T>
  static T scalar(const T x) {
    return strict::log1p(x);
  }
};

struct Erfc {
  template <class Exec, class Src, class Dst>
  static void array(const Exec& exec, const Src& src, const Dst& dst) {
    strict::erfc(exec, src, dst);
  }
  template <class T>
  static T scalar(const T x) {
    return strict::erfc(x);
  }
};

struct Sigmoid {
  template <class Exec, class Src, class Dst>
  static void array(const Exec& exec, const Src& src, const Dst& dst) {
    strict::sigmoid(exec, src, dst);
  }
  template <class T>
  static T scalar(const T x) {
    return strict::sigmoid(x);
  }
};

struct Tanh {
  template <class Exec, class Src, class Dst>
  static void array(const Exec& exec, const Src& src, const Dst& dst) {
    strict::tanh(exec, src, dst);
  }
  template <class T>
  static T scalar(const T x) {
    return strict::tanh(x);
  }
};

template <class Exec, class T>
bcr::Vector<T, Exec> samples(const std::size_t count) {
  const bcr::Vector<T, Exec> src("bcr::tests::src", count);
  const auto host = Kokkos::create_mirror_view(src);
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<double> draw(-30, 30);
  for (std::size_t i = 0; i < count; ++i) host(i) = static_cast<T>(draw(engine));
  Kokkos::deep_copy(src, host);
  return src;
}

template <class Function, class Exec, class T>
void expect_array_equals_scalar(const std::size_t count) {
  const Exec exec;
  const bcr::Vector<T, Exec> src = samples<Exec, T>(count);
  const bcr::Vector<T, Exec> dst("bcr::tests::dst", count);
  const auto host_src = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), src);

  Function::array(exec, src, dst);
  const auto apart = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dst);
  const auto expected = Kokkos::create_mirror(Kokkos::HostSpace(), src);
  for (std::size_t i = 0; i < count; ++i) expected(i) = Function::scalar(host_src(i));
  Function::array(exec, src, src);
  const auto in_place = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), src);

  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(bits(apart(i)), bits(expected(i))) << "element " << i << " of " << count;
    ASSERT_EQ(bits(in_place(i)), bits(expected(i))) << "element " << i << " of " << count << ", in place";
  }
}

template <class Function, class Exec>
void expect_arrays_equal_scalars() {
  for (const std::size_t count : {0, 1, 2, 7, 65, 2047, 2048, 2049, 100'003}) {
    expect_array_equals_scalar<Function, Exec, double>(count);
    expect_array_equals_scalar<Function, Exec, float>(count);
  }
}

template <class Exec>
class StrictMathArrays : public ::testing::Test {};

TYPED_TEST_SUITE(StrictMathArrays, bcr::test::ExecSpaces);

TYPED_TEST(StrictMathArrays, HoldTheBitsOfTheScalarExp) {
  expect_arrays_equal_scalars<Exp, TypeParam>();
}
TYPED_TEST(StrictMathArrays, HoldTheBitsOfTheScalarExpm1) {
  expect_arrays_equal_scalars<Expm1, TypeParam>();
}
TYPED_TEST(StrictMathArrays, HoldTheBitsOfTheScalarLog) {
  expect_arrays_equal_scalars<Log, TypeParam>();
}
TYPED_TEST(StrictMathArrays, HoldTheBitsOfTheScalarLog1p) {
  expect_arrays_equal_scalars<Log1p, TypeParam>();
}
TYPED_TEST(StrictMathArrays, HoldTheBitsOfTheScalarErfc) {
  expect_arrays_equal_scalars<Erfc, TypeParam>();
}
TYPED_TEST(StrictMathArrays, HoldTheBitsOfTheScalarSigmoid) {
  expect_arrays_equal_scalars<Sigmoid, TypeParam>();
}
TYPED_TEST(StrictMathArrays, HoldTheBitsOfTheScalarTanh) {
  expect_arrays_equal_scalars<Tanh, TypeParam>();
}

TYPED_TEST(StrictMathArrays, RefuseADestinationOfAnotherLength) {
  const bcr::Vector<double, TypeParam> src = samples<TypeParam, double>(3);
  const bcr::Vector<double, TypeParam> dst("bcr::tests::dst", 4);

  EXPECT_THROW(strict::exp(TypeParam(), src, dst), bcr::ShapeError);
}

}  // namespace
