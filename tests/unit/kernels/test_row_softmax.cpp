#include "kernels/softmax/row_softmax.hpp"

#include "kernels/distance/squared_distance.hpp"
#include "kernels/math/exp.hpp"
#include "kernels/math/log.hpp"
#include "tests/reference/fixed_sum.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace bcr::test {
namespace {

const std::vector<std::pair<int, int>> softmax_shapes{{0, 3}, {1, 1}, {3, 2}, {17, 10}, {5, 33}, {4, 100}, {2, 1500}};

template <class T>
struct Probabilities {
  std::vector<T> softmax;
  std::vector<T> log_sum_exp;
};

template <class Exec, class T>
Probabilities<T> run(const HostMatrix<T>& src, const T scale) {
  Matrix<T, Exec> dst("bcr::tests::dst", src.rows, src.columns);
  Vector<T, Exec> log_sum_exp("bcr::tests::log_sum_exp", src.rows);
  kernels::row_softmax<Exec, T>(Exec{}, to_device<Exec>(src), scale, dst, log_sum_exp);
  return {to_host(dst), to_host(log_sum_exp)};
}

template <class Exec>
class RowSoftmax : public ::testing::Test {};
TYPED_TEST_SUITE(RowSoftmax, ExecSpaces);

/// The documented computation, one row at a time.
template <class T>
Probabilities<T> by_definition(const HostMatrix<T>& src, const T scale) {
  Probabilities<T> expected;
  for (int i = 0; i < src.rows; ++i) {
    double largest = -std::numeric_limits<double>::infinity();
    for (int c = 0; c < src.columns; ++c) largest = std::max(largest, double(scale) * double(src(i, c)));
    std::vector<T> e;
    for (int c = 0; c < src.columns; ++c) {
      e.push_back(T(kernels::strict::exp(std::fma(double(scale), double(src(i, c)), -largest))));
    }
    const double total =
        reference::fixed_sum(src.columns, [&](const int c, const double sum) { return sum + double(e[c]); });
    for (const T value : e) expected.softmax.push_back(T(double(value) / total));
    expected.log_sum_exp.push_back(T(largest + kernels::strict::log(total)));
  }
  return expected;
}

template <class Exec, class T>
void expect_softmax_definition() {
  for (const auto& [N, C] : softmax_shapes) {
    const auto src = random_reals<T>(N, C, 0, 100, 41);

    const Probabilities<T> got = run<Exec, T>(src, T(-0.7));

    const Probabilities<T> expected = by_definition(src, T(-0.7));
    EXPECT_TRUE(same_bits(got.softmax, expected.softmax)) << N << 'x' << C;
    EXPECT_TRUE(same_bits(got.log_sum_exp, expected.log_sum_exp)) << N << 'x' << C;
  }
}

TYPED_TEST(RowSoftmax, FollowsTheDocumentedComputationToTheLastBit) {
  expect_softmax_definition<TypeParam, float>();
  expect_softmax_definition<TypeParam, double>();
}

template <class Exec, class T>
void expect_close_to_long_double() {
  for (const auto& [N, C] : softmax_shapes) {
    const auto src = random_reals<T>(N, C, -40, 40, 42);

    const Probabilities<T> got = run<Exec, T>(src, T(1));

    for (int i = 0; i < N; ++i) {
      long double total = 0;
      for (int c = 0; c < C; ++c) total += std::exp(static_cast<long double>(src(i, c)));
      const double lse = double(std::log(total));
      EXPECT_NEAR(double(got.log_sum_exp[i]), lse, tolerance::softmax<T>() * std::abs(lse));
      for (int c = 0; c < C; ++c) {
        const double p = double(std::exp(static_cast<long double>(src(i, c))) / total);
        EXPECT_NEAR(double(got.softmax[std::size_t(i) * C + c]), p, tolerance::softmax<T>() * p) << i << ' ' << c;
      }
    }
  }
}

TYPED_TEST(RowSoftmax, IsCloseToTheFormulaInLongDouble) {
  expect_close_to_long_double<TypeParam, float>();
  expect_close_to_long_double<TypeParam, double>();
}

TYPED_TEST(RowSoftmax, StaysFiniteForHugeLogitsAndIsUniformForEqualOnes) {
  HostMatrix<float> src(2, 4);
  for (int c = 0; c < 4; ++c) {
    src(0, c) = c == 2 ? 3e38f : -3e38f;
    src(1, c) = -1e30f;
  }

  const Probabilities<float> got = run<TypeParam>(src, 1.0f);

  EXPECT_EQ(got.softmax, (std::vector<float>{0, 0, 1, 0, 0.25f, 0.25f, 0.25f, 0.25f}));
  EXPECT_EQ(got.log_sum_exp[0], 3e38f);
}

TYPED_TEST(RowSoftmax, MakesARowWithANanAllNanAndNoOther) {
  const InvalidTrapOff no_trap;
  auto src = random_reals<double>(3, 70, -1, 1, 43);
  src(1, 69) = std::numeric_limits<double>::quiet_NaN();

  const Probabilities<double> got = run<TypeParam>(src, 1.0);

  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(std::isnan(got.log_sum_exp[i]), i == 1);
    for (int c = 0; c < 70; ++c) EXPECT_EQ(std::isnan(got.softmax[i * 70 + c]), i == 1);
  }
}

TYPED_TEST(RowSoftmax, WorksInPlaceAndLogSumExpAloneGivesTheSameBits) {
  const auto src = random_reals<float>(9, 130, -9, 9, 44);
  const Probabilities<float> expected = run<TypeParam>(src, -1.0f);
  const Matrix<float, TypeParam> both = to_device<TypeParam>(src);
  const Vector<float, TypeParam> log_sum_exp("bcr::tests::log_sum_exp", 9);
  const Vector<float, TypeParam> alone("bcr::tests::alone", 9);

  kernels::row_log_sum_exp<TypeParam, float>(TypeParam{}, both, -1.0f, alone);
  kernels::row_softmax<TypeParam, float>(TypeParam{}, both, -1.0f, both, log_sum_exp);

  EXPECT_TRUE(same_bits(to_host(both), expected.softmax));
  EXPECT_TRUE(same_bits(to_host(alone), expected.log_sum_exp));
}

TYPED_TEST(RowSoftmax, RefusesShapesThatDoNotFit) {
  const Matrix<float, TypeParam> src("bcr::tests::src", 3, 4);
  const Matrix<float, TypeParam> narrow("bcr::tests::narrow", 3, 0);
  const Vector<float, TypeParam> three("bcr::tests::three", 3);
  const Vector<float, TypeParam> four("bcr::tests::four", 4);
  const TypeParam exec;

  EXPECT_THROW((kernels::row_softmax<TypeParam, float>(exec, src, 1.0f, narrow, three)), ShapeError);
  EXPECT_THROW((kernels::row_softmax<TypeParam, float>(exec, src, 1.0f, src, four)), ShapeError);
  EXPECT_THROW((kernels::row_log_sum_exp<TypeParam, float>(exec, narrow, 1.0f, three)), ShapeError);
}

TYPED_TEST(RowSoftmax, AndTheRestOfTheDistanceHeadAllocateNothingOnceWarm) {
  const auto src = to_device<TypeParam>(random_reals<float>(70, 128, 0, 1, 45));
  const auto centres = to_device<TypeParam>(random_reals<float>(10, 128, -1, 1, 46));
  const Matrix<float, TypeParam> distances("bcr::tests::distances", 70, 10);
  const Matrix<float, TypeParam> softmax("bcr::tests::softmax", 70, 10);
  const Matrix<float, TypeParam> diff_src("bcr::tests::diff_src", 70, 128);
  const Matrix<float, TypeParam> diff_centres("bcr::tests::diff_centres", 10, 128);
  const Labels<TypeParam> index("bcr::tests::index", 70);
  const Vector<float, TypeParam> value("bcr::tests::value", 70);
  const TypeParam exec;
  const auto step = [&] {
    kernels::squared_distance<TypeParam, float>(exec, src, centres, distances);
    kernels::nearest<TypeParam, float>(exec, distances, index, value);
    kernels::row_softmax<TypeParam, float>(exec, distances, -1.0f, softmax, value);
    kernels::squared_distance_diff_src<TypeParam, float>(exec, src, centres, softmax, diff_src);
    kernels::squared_distance_diff_centres<TypeParam, float>(exec, src, centres, softmax, diff_centres);
    exec.fence();
  };
  step();

  const AllocationCounter allocations;
  step();

  EXPECT_EQ(allocations.count(), 0);
}

}  // namespace
}  // namespace bcr::test
