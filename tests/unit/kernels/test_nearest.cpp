#include "kernels/distance/squared_distance.hpp"

#include "kernels/reduce/reduce.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/invalid_trap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace bcr::test {
namespace {

enum class Which { smallest, largest };

template <class T>
struct Extremes {
  std::vector<std::int32_t> index;
  std::vector<T> value;
};

template <class Exec, class T>
Extremes<T> run(const HostMatrix<T>& src, const Which which = Which::smallest) {
  Labels<Exec> index("bcr::tests::index", src.rows);
  Vector<T, Exec> value("bcr::tests::value", src.rows);
  if (which == Which::smallest)
    kernels::nearest<Exec, T>(Exec{}, to_device<Exec>(src), index, value);
  else
    kernels::row_argmax<Exec, T>(Exec{}, to_device<Exec>(src), index, value);
  return {to_host(index), to_host(value)};
}

template <class Exec>
class Nearest : public ::testing::Test {};
TYPED_TEST_SUITE(Nearest, ExecSpaces);

template <class Exec, class T>
void expect_plain_scan() {
  const std::vector<std::pair<int, int>> shapes{{0, 3},  {1, 1},   {3, 2},    {17, 10},
                                                {5, 31}, {33, 65}, {2, 1000}, {1, 21841}};
  for (const auto& [N, C] : shapes) {
    const auto src = random_integers<T>(N, C, -50, 50, 21);  // few values: many ties

    const Extremes<T> low = run<Exec>(src);
    const Extremes<T> high = run<Exec>(src, Which::largest);

    for (int i = 0; i < N; ++i) {
      int smallest = 0;
      int largest = 0;
      for (int c = 1; c < C; ++c) {
        if (src(i, c) < src(i, smallest)) smallest = c;
        if (src(i, c) > src(i, largest)) largest = c;
      }
      EXPECT_EQ(low.index[i], smallest) << N << ' ' << C << " row " << i;
      EXPECT_EQ(low.value[i], src(i, smallest));
      EXPECT_EQ(high.index[i], largest) << N << ' ' << C << " row " << i;
      EXPECT_EQ(high.value[i], src(i, largest));
    }
  }
}

TYPED_TEST(Nearest, IsTheLowestIndexOfTheSmallestAndArgmaxOfTheLargest) {
  expect_plain_scan<TypeParam, float>();
  expect_plain_scan<TypeParam, double>();
}

TYPED_TEST(Nearest, TakesTheFirstNanWhereverItStands) {
  const InvalidTrapOff no_trap;
  for (const int place : {0, 1, 31, 32, 40, 69}) {
    auto src = random_reals<float>(2, 70, 1, 2, 22);
    src(1, place) = std::numeric_limits<float>::quiet_NaN();
    src(1, 69) = std::numeric_limits<float>::quiet_NaN();
    src(1, 5) = place == 0 ? 0.5f : src(1, 5);

    const Extremes<float> low = run<TypeParam>(src);
    const Extremes<float> high = run<TypeParam>(src, Which::largest);

    EXPECT_EQ(low.index[1], place);
    EXPECT_TRUE(std::isnan(low.value[1]));
    EXPECT_EQ(high.index[1], place);
    EXPECT_FALSE(std::isnan(low.value[0]));
  }
}

TYPED_TEST(Nearest, TreatsInfinitiesAsNumbersAndZerosOfBothSignsAsEqual) {
  const float inf = std::numeric_limits<float>::infinity();
  HostMatrix<float> src(3, 40);
  for (int c = 0; c < 40; ++c) {
    src(0, c) = inf;
    src(1, c) = c == 37 ? -inf : 1.0f;
    src(2, c) = c == 3 ? 0.0f : c == 4 ? -0.0f : 1.0f;
  }

  const Extremes<float> low = run<TypeParam>(src);

  EXPECT_EQ(low.index, (std::vector<std::int32_t>{0, 37, 3}));
  EXPECT_EQ(low.value[0], inf);
}

TYPED_TEST(Nearest, RefusesShapesThatDoNotFit) {
  const Matrix<float, TypeParam> src("bcr::tests::src", 3, 4);
  const Matrix<float, TypeParam> narrow("bcr::tests::narrow", 3, 0);
  const Labels<TypeParam> index("bcr::tests::index", 3);
  const Vector<float, TypeParam> value("bcr::tests::value", 3);
  const Vector<float, TypeParam> four("bcr::tests::four", 4);
  const TypeParam exec;

  EXPECT_THROW((kernels::nearest<TypeParam, float>(exec, src, index, four)), ShapeError);
  EXPECT_THROW((kernels::nearest<TypeParam, float>(exec, narrow, index, value)), ShapeError);
}

TYPED_TEST(Nearest, AllocatesNothingOnceWarm) {
  const Matrix<float, TypeParam> src("bcr::tests::src", 70, 100);
  const Labels<TypeParam> index("bcr::tests::index", 70);
  const Vector<float, TypeParam> value("bcr::tests::value", 70);
  const TypeParam exec;
  kernels::nearest<TypeParam, float>(exec, src, index, value);

  const AllocationCounter allocations;
  kernels::nearest<TypeParam, float>(exec, src, index, value);
  exec.fence();

  EXPECT_EQ(allocations.count(), 0);
}

}  // namespace
}  // namespace bcr::test
