#include "kernels/linear/linear.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace bcr::test {
namespace {

struct Sizes {
  int N, C, n;
};
constexpr Sizes all_sizes[] = {{0, 3, 4}, {3, 0, 4}, {1, 1, 1}, {5, 3, 7}, {67, 10, 65}, {33, 130, 17}, {2100, 5, 9}};

/// The layer on the device, and the same sums on the host in the order the header states.
template <class Exec, class T>
struct LinearProblem {
  LinearProblem(const Sizes& s, const HostMatrix<T>& src_, const HostMatrix<T>& weights_, const HostMatrix<T>& diff_,
                const std::vector<T>& bias_)
      : host_src(src_), host_weights(weights_), host_diff(diff_), host_bias(bias_),
        src(to_device<Exec>(src_)),
        weights(to_device<Exec>(weights_)),
        diff_dst(to_device<Exec>(diff_)),
        dst("bcr::tests::dst", s.N, s.C),
        diff_src("bcr::tests::diff_src", s.N, s.n),
        diff_weights("bcr::tests::diff_weights", s.C, s.n),
        bias(to_device<Exec>(bias_)),
        diff_bias("bcr::tests::diff_bias", s.C),
        workspace("bcr::tests::workspace", kernels::linear_workspace_size<Exec, T>(s.N, s.C, s.n)) {}

  explicit LinearProblem(const Sizes& s)
      : LinearProblem(s, random_reals<T>(s.N, s.n, -1, 1, 1), random_reals<T>(s.C, s.n, -1, 1, 2),
                      random_reals<T>(s.N, s.C, -1, 1, 3), random_reals<T>(1, s.C, -1, 1, 4).entries) {}

  void step() const {
    kernels::linear_forward<Exec, T>(exec, src, weights, bias, dst, workspace);
    kernels::linear_backward_data<Exec, T>(exec, diff_dst, weights, diff_src, kernels::ChainStart::zero, workspace);
    kernels::linear_backward_weights<Exec, T>(exec, src, diff_dst, diff_weights, workspace);
    kernels::linear_backward_bias<Exec, T>(exec, diff_dst, diff_bias);
    exec.fence();
  }

  std::vector<T> expected_dst() const {
    std::vector<T> result;
    for (int i = 0; i < host_src.rows; ++i) {
      for (int c = 0; c < host_weights.rows; ++c) {
        T sum = host_bias[c];
        for (int d = 0; d < host_src.columns; ++d) sum = std::fma(host_src(i, d), host_weights(c, d), sum);
        result.push_back(sum);
      }
    }
    return result;
  }
  std::vector<T> expected_diff_src(const T start) const {
    std::vector<T> result;
    for (int i = 0; i < host_src.rows; ++i) {
      for (int d = 0; d < host_src.columns; ++d) {
        T sum = start;
        for (int c = 0; c < host_weights.rows; ++c) sum = std::fma(host_diff(i, c), host_weights(c, d), sum);
        result.push_back(sum);
      }
    }
    return result;
  }
  /// At most three chunks: ((0 + 1) + 2).
  std::vector<T> expected_diff_weights() const {
    std::vector<T> result;
    for (int c = 0; c < host_weights.rows; ++c) {
      for (int d = 0; d < host_src.columns; ++d) {
        T total = 0;
        for (int begin = 0; begin < host_src.rows; begin += 1024) {
          T sum = 0;
          for (int i = begin; i < std::min(begin + 1024, host_src.rows); ++i)
            sum = std::fma(host_diff(i, c), host_src(i, d), sum);
          total = begin == 0 ? sum : total + sum;
        }
        result.push_back(total);
      }
    }
    return result;
  }

  Exec exec;
  HostMatrix<T> host_src, host_weights, host_diff;
  std::vector<T> host_bias;
  Matrix<T, Exec> src, weights, diff_dst, dst, diff_src, diff_weights;
  Vector<T, Exec> bias, diff_bias, workspace;
};

template <class Exec>
class LinearKernels : public ::testing::Test {};
TYPED_TEST_SUITE(LinearKernels, ExecSpaces);

template <class Exec, class T>
void expect_stated_order() {
  for (const Sizes& sizes : all_sizes) {
    const LinearProblem<Exec, T> problem(sizes);

    problem.step();

    EXPECT_TRUE(same_bits(to_host(problem.dst), problem.expected_dst())) << sizes.N << " " << sizes.C;
    EXPECT_TRUE(same_bits(to_host(problem.diff_src), problem.expected_diff_src(0))) << sizes.N << " " << sizes.C;
    EXPECT_TRUE(same_bits(to_host(problem.diff_weights), problem.expected_diff_weights())) << sizes.N << sizes.C;
    const std::vector<T> diff_bias = to_host(problem.diff_bias);
    for (int c = 0; c < sizes.C; ++c) {
      double sum = 0, magnitude = 0;
      for (int i = 0; i < sizes.N; ++i) {
        sum += double(problem.host_diff(i, c));
        magnitude += std::abs(double(problem.host_diff(i, c)));
      }
      EXPECT_NEAR(diff_bias[c], sum, tolerance::loss<T>() * magnitude);
    }
  }
}

TYPED_TEST(LinearKernels, SumInTheStatedOrderInFloat) {
  expect_stated_order<TypeParam, float>();
}

TYPED_TEST(LinearKernels, SumInTheStatedOrderInDouble) {
  expect_stated_order<TypeParam, double>();
}

TYPED_TEST(LinearKernels, StartFromTheGradientThatIsThere) {
  const LinearProblem<TypeParam, float> problem({5, 3, 7});
  Kokkos::deep_copy(problem.diff_src, 0.5F);

  kernels::linear_backward_data<TypeParam, float>(problem.exec, problem.diff_dst, problem.weights, problem.diff_src,
                                                  kernels::ChainStart::dst, problem.workspace);

  problem.exec.fence();
  EXPECT_TRUE(same_bits(to_host(problem.diff_src), problem.expected_diff_src(0.5F)));
}

TYPED_TEST(LinearKernels, ScaleRows) {
  const auto src = random_integers<float>(3, 65, -4, 4, 1);
  const Matrix<float, TypeParam> dst("bcr::tests::dst", 3, 65);

  kernels::scale_rows<TypeParam, float>(TypeParam{}, to_device<TypeParam>(std::vector<float>{2, 0, -3}),
                                        to_device<TypeParam>(src), dst);

  Kokkos::fence();
  const std::vector<float> found = to_host(dst);
  const float factor[] = {2, 0, -3};
  for (int k = 0; k < 3 * 65; ++k) EXPECT_EQ(found[k], factor[k / 65] * src.entries[k]);
}

TYPED_TEST(LinearKernels, AllocateNothingAfterTheFirstStep) {
  const LinearProblem<TypeParam, float> problem({67, 130, 65});
  problem.step();

  const AllocationCounter allocations;
  for (int k = 0; k < 3; ++k) problem.step();

  EXPECT_EQ(allocations.count(), 0);
}

TYPED_TEST(LinearKernels, RefuseShapesThatDoNotFit) {
  const LinearProblem<TypeParam, float> p({5, 3, 7});
  const Matrix<float, TypeParam> wrong("bcr::tests::wrong", 4, 6);

  EXPECT_THROW((kernels::linear_forward<TypeParam, float>(p.exec, p.src, wrong, p.bias, p.dst, p.workspace)), ShapeError);
  EXPECT_THROW((kernels::linear_forward<TypeParam, float>(p.exec, p.src, p.weights, p.bias, wrong, p.workspace)),
               ShapeError);
  EXPECT_THROW((kernels::linear_backward_weights<TypeParam, float>(p.exec, p.src, wrong, p.diff_weights, p.workspace)),
               ShapeError);
}

}  // namespace
}  // namespace bcr::test
