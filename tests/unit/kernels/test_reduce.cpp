#include "kernels/reduce/fixed_sum.hpp"
#include "kernels/reduce/reduce.hpp"

#include "tests/reference/fixed_sum.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace bcr::test {
namespace {

/// Empty, single, around the lanes, around a chunk, and enough chunks for every shape of the tree up to 21.
const std::vector<int> sum_lengths{0, 1, 31, 32, 33, 65, 1023, 1024, 1025, 2048, 3000, 5000, 7 * 1024, 20 * 1024 + 1};

template <class Exec>
class Reduce : public ::testing::Test {};
TYPED_TEST_SUITE(Reduce, ExecSpaces);

template <class Exec, class T>
struct VectorProblem {
  explicit VectorProblem(const std::vector<T>& values)
      : src(to_device<Exec>(values)),
        partials("bcr::tests::partials", kernels::sum_chunks(int(values.size()))),
        dst("bcr::tests::dst") {}

  double result() const {
    double value = 0;
    Kokkos::deep_copy(value, dst);
    return value;
  }

  Vector<T, Exec> src;
  Vector<double, Exec> partials;
  kernels::DeviceScalar<Exec> dst;
};

template <class Exec, class T>
void expect_documented_sums() {
  for (const int length : sum_lengths) {
    const std::vector<T> x = random_reals<T>(1, length, -1, 3, 31).entries;
    const std::vector<T> y = random_reals<T>(1, length, -2, 1, 32).entries;
    const VectorProblem<Exec, T> problem(x);
    const Exec exec;

    kernels::sum<Exec, T>(exec, problem.src, problem.partials, problem.dst);
    const double sum = problem.result();
    kernels::dot<Exec, T>(exec, problem.src, to_device<Exec>(y), problem.partials, problem.dst);
    const double dot = problem.result();
    kernels::norm2<Exec, T>(exec, problem.src, problem.partials, problem.dst);
    const double norm = problem.result();

    const auto square = [&](const int i, const double s) { return std::fma(double(x[i]), double(x[i]), s); };
    EXPECT_EQ(sum, reference::fixed_sum(length, [&](int i, double s) { return s + double(x[i]); })) << length;
    EXPECT_EQ(dot,
              reference::fixed_sum(length, [&](int i, double s) { return std::fma(double(x[i]), double(y[i]), s); }));
    EXPECT_EQ(norm, std::sqrt(reference::fixed_sum(length, square))) << length;
  }
}

TYPED_TEST(Reduce, SumDotAndNormFollowTheDocumentedOrderToTheLastBit) {
  expect_documented_sums<TypeParam, float>();
  expect_documented_sums<TypeParam, double>();
}

TYPED_TEST(Reduce, SumIsExactOnIntegersAndCloseOnReals) {
  const std::vector<float> integers = random_integers<float>(1, 5001, -1000, 1000, 33).entries;
  const std::vector<double> reals = random_reals<double>(1, 70001, -1, 1, 34).entries;
  const VectorProblem<TypeParam, float> exact(integers);
  const VectorProblem<TypeParam, double> close(reals);

  kernels::sum<TypeParam, float>(TypeParam{}, exact.src, exact.partials, exact.dst);
  kernels::sum<TypeParam, double>(TypeParam{}, close.src, close.partials, close.dst);

  long long expected = 0;
  for (const float value : integers) expected += static_cast<long long>(value);
  long double plain = 0;
  long double magnitude = 0;
  for (const double value : reals) {
    plain += value;
    magnitude += std::abs(value);
  }
  EXPECT_EQ(exact.result(), double(expected));
  EXPECT_NEAR(close.result(), double(plain), tolerance::fixed_sum * double(magnitude));
}

TEST(NeighbourTree, JoinsAnyNumberOfChunksLikePairwiseAddition) {
  for (int count = 0; count <= 70; ++count) {
    const std::vector<double> sums = random_reals<double>(1, count, -1, 1, 35 + unsigned(count)).entries;
    kernels::NeighbourTree tree;
    for (const double sum : sums) tree.push(sum);

    EXPECT_EQ(tree.result(), reference::neighbour_tree(sums)) << count;
  }
}

struct Moments {
  std::vector<double> mean;
  std::vector<double> variance;
};

template <class Exec, class T>
Moments run_moments(const HostMatrix<T>& src) {
  Matrix<double, Exec> partials("bcr::tests::partials", kernels::moment_chunks(src.rows), src.columns);
  Vector<double, Exec> mean("bcr::tests::mean", src.columns);
  Vector<double, Exec> variance("bcr::tests::variance", src.columns);
  kernels::channel_moments<Exec, T>(Exec{}, to_device<Exec>(src), partials, mean, variance);
  return {to_host(mean), to_host(variance)};
}

/// The documented order for one channel: chunks of 256 rows, then the tree.
template <class Accumulate>
double chunked_rows(const int rows, const Accumulate& accumulate) {
  std::vector<double> chunks;
  for (int first = 0; first < rows; first += 256) {
    double sum = 0;
    for (int r = first; r < std::min(first + 256, rows); ++r) sum = accumulate(r, sum);
    chunks.push_back(sum);
  }
  return reference::neighbour_tree(chunks);
}

template <class Exec, class T>
void expect_documented_moments() {
  const std::vector<std::pair<int, int>> shapes{{1, 1}, {3, 2}, {255, 17}, {257, 64}, {1285, 65}, {700, 130}, {9, 0}};
  for (const auto& [rows, channels] : shapes) {
    const auto src = random_reals<T>(rows, channels, -1, 5, 36);

    const Moments moments = run_moments<Exec>(src);

    for (int c = 0; c < channels; ++c) {
      const double mean = chunked_rows(rows, [&](int r, double s) { return s + double(src(r, c)); }) / rows;
      const double variance = chunked_rows(rows,
                                           [&](int r, double s) {
                                             const double deviation = double(src(r, c)) - mean;
                                             return std::fma(deviation, deviation, s);
                                           }) /
                              rows;
      EXPECT_EQ(moments.mean[c], mean) << rows << 'x' << channels << ' ' << c;
      EXPECT_EQ(moments.variance[c], variance) << rows << 'x' << channels << ' ' << c;
    }
  }
}

TYPED_TEST(Reduce, ChannelMomentsFollowTheDocumentedOrderToTheLastBit) {
  expect_documented_moments<TypeParam, float>();
  expect_documented_moments<TypeParam, double>();
}

TYPED_TEST(Reduce, VarianceSurvivesALargeMean) {
  HostMatrix<float> src(1000, 3);
  for (int r = 0; r < 1000; ++r)
    for (int c = 0; c < 3; ++c) src(r, c) = 1e6f + float(r % 2);

  const Moments moments = run_moments<TypeParam>(src);

  EXPECT_EQ(moments.mean[2], 1e6 + 0.5);
  EXPECT_EQ(moments.variance[2], 0.25);
}

TYPED_TEST(Reduce, RefusesShapesThatDoNotFit) {
  const Vector<float, TypeParam> a("bcr::tests::a", 2049);
  const Vector<float, TypeParam> b("bcr::tests::b", 2048);
  const Vector<double, TypeParam> two("bcr::tests::two", 2);
  const kernels::DeviceScalar<TypeParam> dst("bcr::tests::dst");
  const Matrix<float, TypeParam> src("bcr::tests::src", 257, 2);
  const Matrix<float, TypeParam> empty("bcr::tests::empty", 0, 2);
  const Matrix<double, TypeParam> partials("bcr::tests::partials", 1, 2);
  const TypeParam exec;

  EXPECT_THROW((kernels::sum<TypeParam, float>(exec, a, two, dst)), ShapeError);
  EXPECT_THROW((kernels::dot<TypeParam, float>(exec, b, a, two, dst)), ShapeError);
  EXPECT_THROW((kernels::channel_moments<TypeParam, float>(exec, src, partials, two, two)), ShapeError);
  EXPECT_THROW((kernels::channel_moments<TypeParam, float>(exec, empty, partials, two, two)), ShapeError);
}

TYPED_TEST(Reduce, AllocatesNothingOnceWarm) {
  VectorProblem<TypeParam, float> problem(std::vector<float>(5000, 1.0f));
  const Matrix<float, TypeParam> src("bcr::tests::src", 300, 33);
  const Matrix<double, TypeParam> partials("bcr::tests::partials", 2, 33);
  const Vector<double, TypeParam> mean("bcr::tests::mean", 33);
  const Vector<double, TypeParam> variance("bcr::tests::variance", 33);
  const TypeParam exec;
  const auto step = [&] {
    kernels::norm2<TypeParam, float>(exec, problem.src, problem.partials, problem.dst);
    kernels::channel_moments<TypeParam, float>(exec, src, partials, mean, variance);
    exec.fence();
  };
  step();

  const AllocationCounter allocations;
  step();

  EXPECT_EQ(allocations.count(), 0);
}

}  // namespace
}  // namespace bcr::test
