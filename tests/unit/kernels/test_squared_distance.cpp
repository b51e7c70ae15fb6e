#include "kernels/distance/squared_distance.hpp"

#include "tests/reference/squared_distance.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/invalid_trap.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

namespace bcr::test {
namespace {

struct Problem {
  int N;
  int n;
  int C;
};

std::ostream& operator<<(std::ostream& out, const Problem& p) {
  return out << "N=" << p.N << " n=" << p.n << " C=" << p.C;
}

/// Nothing, one of each, every tail of the tiles (6, 3 and 4 rows; 4, 8, 16, 32 and 64 columns), several chunks, odd
/// sizes.
const std::vector<Problem> problems{{0, 5, 3},    {1, 1, 1},    {1, 2, 2},     {2, 128, 1},   {3, 129, 2},
                                    {5, 127, 17}, {7, 65, 10},  {64, 256, 64}, {65, 300, 33}, {66, 17, 130},
                                    {371, 31, 7}, {3, 2048, 5}, {4, 0, 3},     {3, 7, 0},     {2, 3, 1001}};

template <class Exec>
class SquaredDistance : public ::testing::Test {};
TYPED_TEST_SUITE(SquaredDistance, ExecSpaces);

template <class Exec, class T>
std::vector<T> run_forward(const HostMatrix<T>& src, const HostMatrix<T>& centres) {
  Matrix<T, Exec> dst("bcr::tests::dst", src.rows, centres.rows);
  Kokkos::deep_copy(dst, T(-7));
  kernels::squared_distance<Exec, T>(Exec{}, to_device<Exec>(src), to_device<Exec>(centres), dst);
  return to_host(dst);
}

template <class T>
struct Gradients {
  std::vector<T> src;
  std::vector<T> centres;
};

template <class Exec, class T>
Gradients<T> run_backward(const HostMatrix<T>& src, const HostMatrix<T>& centres, const HostMatrix<T>& diff_dst) {
  Matrix<T, Exec> diff_src("bcr::tests::diff_src", src.rows, src.columns);
  Matrix<T, Exec> diff_centres("bcr::tests::diff_centres", centres.rows, centres.columns);
  Kokkos::deep_copy(diff_src, T(-7));
  Kokkos::deep_copy(diff_centres, T(-7));
  const auto x = to_device<Exec>(src);
  const auto m = to_device<Exec>(centres);
  const auto g = to_device<Exec>(diff_dst);
  kernels::squared_distance_diff_src<Exec, T>(Exec{}, x, m, g, diff_src);
  kernels::squared_distance_diff_centres<Exec, T>(Exec{}, x, m, g, diff_centres);
  return {to_host(diff_src), to_host(diff_centres)};
}

template <class Exec, class T>
void expect_exact_on_integers() {
  for (const Problem& p : problems) {
    const auto src = random_integers<T>(p.N, p.n, -9, 9, 1);
    const auto centres = random_integers<T>(p.C, p.n, -9, 9, 2);

    const std::vector<T> dst = run_forward<Exec>(src, centres);

    const std::vector<double> expected = reference::squared_distance(src, centres);
    EXPECT_EQ(std::vector<double>(dst.begin(), dst.end()), expected) << p;
  }
}

TYPED_TEST(SquaredDistance, IsExactOnSmallIntegers) {
  expect_exact_on_integers<TypeParam, float>();
  expect_exact_on_integers<TypeParam, double>();
}

template <class Exec, class T>
void expect_distance_definition() {
  for (const Problem& p : problems) {
    const auto src = random_reals<T>(p.N, p.n, -1, 2, 3);
    const auto centres = random_reals<T>(p.C, p.n, -2, 2, 4);
    const auto diff_dst = random_reals<T>(p.N, p.C, -1, 1, 5);

    const std::vector<T> dst = run_forward<Exec>(src, centres);
    const Gradients<T> gradients = run_backward<Exec>(src, centres, diff_dst);

    const auto rows = [&](const int i, const int j) { return diff_dst(i, j); };
    const auto columns = [&](const int i, const int j) { return diff_dst(j, i); };
    EXPECT_TRUE(same_bits(dst, reference::squared_distance_by_definition(src, centres))) << p;
    EXPECT_TRUE(same_bits(gradients.src, reference::weighted_differences_by_definition(src, centres, rows))) << p;
    EXPECT_TRUE(same_bits(gradients.centres, reference::weighted_differences_by_definition(centres, src, columns)))
        << p;
  }
}

TYPED_TEST(SquaredDistance, AndItsGradientsFollowTheDocumentedOrderToTheLastBit) {
  expect_distance_definition<TypeParam, float>();
  expect_distance_definition<TypeParam, double>();
}

template <class Exec, class T>
void expect_within_bound() {
  const auto src = random_reals<T>(37, 640, 0, 2, 6);
  const auto centres = random_reals<T>(41, 640, -3, 3, 7);
  const auto diff_dst = random_reals<T>(37, 41, -1, 1, 8);

  const std::vector<T> dst = run_forward<Exec>(src, centres);
  const Gradients<T> gradients = run_backward<Exec>(src, centres, diff_dst);

  const std::vector<double> exact = reference::squared_distance(src, centres);
  const auto along = reference::weighted_differences(src, centres, [&](int i, int j) { return diff_dst(i, j); });
  for (std::size_t k = 0; k < dst.size(); ++k) {
    ASSERT_LE(std::abs(dst[k] - exact[k]), tolerance::distance<T>(640) * exact[k]) << k;
  }
  for (std::size_t k = 0; k < gradients.src.size(); ++k) {
    ASSERT_LE(std::abs(gradients.src[k] - along.value[k]), tolerance::distance<T>(41) * along.magnitude[k]) << k;
  }
}

TYPED_TEST(SquaredDistance, AndItsGradientStayWithinTheirErrorBound) {
  expect_within_bound<TypeParam, float>();
  expect_within_bound<TypeParam, double>();
}

TYPED_TEST(SquaredDistance, KeepsItsDigitsForClosePointsFarFromTheOrigin) {
  HostMatrix<float> src(1, 65);
  HostMatrix<float> centres(1, 65);
  for (int d = 0; d < 65; ++d) {
    src(0, d) = 4096.5f;
    centres(0, d) = 4096.0f;
  }

  const std::vector<float> dst = run_forward<TypeParam>(src, centres);

  EXPECT_EQ(dst.at(0), 65 * 0.25f);
}

TYPED_TEST(SquaredDistance, KeepsNanAndInfinityInTheirRowAndColumn) {
  const InvalidTrapOff no_trap;
  auto src = random_integers<double>(7, 130, -3, 3, 9);
  auto centres = random_integers<double>(19, 130, -3, 3, 10);
  src(6, 129) = std::numeric_limits<double>::quiet_NaN();
  centres(18, 64) = std::numeric_limits<double>::infinity();

  const std::vector<double> dst = run_forward<TypeParam>(src, centres);

  for (int i = 0; i < 7; ++i)
    for (int c = 0; c < 19; ++c) {
      const double value = dst[i * 19 + c];
      EXPECT_EQ(std::isnan(value), i == 6) << i << ' ' << c;
      EXPECT_EQ(std::isinf(value), i != 6 && c == 18) << i << ' ' << c;
    }
}

TYPED_TEST(SquaredDistance, ReadsRowsOfAWiderMatrix) {
  const auto wide = random_integers<float>(9, 40, -5, 5, 11);
  const auto centres = random_integers<float>(4, 33, -5, 5, 12);
  const Matrix<float, TypeParam> device = to_device<TypeParam>(wide);
  const Matrix<float, TypeParam> part = Kokkos::subview(device, std::pair(2, 8), std::pair(3, 36));
  Matrix<float, TypeParam> dst("bcr::tests::dst", 6, 4);

  kernels::squared_distance<TypeParam, float>(TypeParam{}, part, to_device<TypeParam>(centres), dst);

  HostMatrix<float> src(6, 33);
  for (int i = 0; i < 6; ++i)
    for (int d = 0; d < 33; ++d) src(i, d) = wide(i + 2, d + 3);
  const std::vector<float> got = to_host(dst);
  EXPECT_EQ(std::vector<double>(got.begin(), got.end()), reference::squared_distance(src, centres));
}

TYPED_TEST(SquaredDistance, RefusesShapesThatDoNotFit) {
  using M = Matrix<float, TypeParam>;
  const M src("bcr::tests::src", 3, 4);
  const M centres("bcr::tests::centres", 2, 4);
  const M dst("bcr::tests::dst", 3, 2);
  const M wrong("bcr::tests::wrong", 2, 3);
  const TypeParam exec;

  EXPECT_THROW((kernels::squared_distance<TypeParam, float>(exec, src, wrong, dst)), ShapeError);
  EXPECT_THROW((kernels::squared_distance<TypeParam, float>(exec, src, centres, wrong)), ShapeError);
  EXPECT_THROW((kernels::squared_distance_diff_src<TypeParam, float>(exec, src, centres, wrong, src)), ShapeError);
  EXPECT_THROW((kernels::squared_distance_diff_src<TypeParam, float>(exec, src, centres, dst, centres)), ShapeError);
  EXPECT_THROW((kernels::squared_distance_diff_centres<TypeParam, float>(exec, src, centres, dst, src)), ShapeError);
}

TYPED_TEST(SquaredDistance, AndItsGradientsAllocateNothingOnceWarm) {
  const auto src = to_device<TypeParam>(random_reals<float>(64, 130, -1, 1, 13));
  const auto centres = to_device<TypeParam>(random_reals<float>(100, 130, -1, 1, 14));
  Matrix<float, TypeParam> dst("bcr::tests::dst", 64, 100);
  Matrix<float, TypeParam> diff_src("bcr::tests::diff_src", 64, 130);
  Matrix<float, TypeParam> diff_centres("bcr::tests::diff_centres", 100, 130);
  const TypeParam exec;
  const auto step = [&] {
    kernels::squared_distance<TypeParam, float>(exec, src, centres, dst);
    kernels::squared_distance_diff_src<TypeParam, float>(exec, src, centres, dst, diff_src);
    kernels::squared_distance_diff_centres<TypeParam, float>(exec, src, centres, dst, diff_centres);
    exec.fence();
  };
  step();

  const AllocationCounter allocations;
  step();

  EXPECT_EQ(allocations.count(), 0);
}

TEST(AllocationCounter, NoticesAView) {
  const AllocationCounter allocations;

  const Kokkos::View<float*> view("bcr::tests::noticed", 3);

  EXPECT_GE(allocations.count(), 1);
}

}  // namespace
}  // namespace bcr::test
