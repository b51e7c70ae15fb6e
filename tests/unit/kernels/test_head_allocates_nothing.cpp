#include "kernels/distance/squared_distance.hpp"
#include "kernels/gamma/inclusion_plan.hpp"
#include "kernels/softmax/row_softmax.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

/// A whole head, forward and backward, with every buffer made in advance.
template <class Exec, class T>
struct Head {
  Head(const int N, const int n, const int C)
      : plan(n),
        src(to_device<Exec>(random_reals<T>(N, n, -1, 1, 21))),
        centres(to_device<Exec>(random_reals<T>(C, n, -1, 1, 22))),
        distances("bcr::tests::distances", N, C),
        probabilities("bcr::tests::probabilities", N, C),
        diff_src("bcr::tests::diff_src", N, n),
        diff_centres("bcr::tests::diff_centres", C, n),
        index("bcr::tests::index", N),
        nearest("bcr::tests::nearest", N),
        log_sum_exp("bcr::tests::log_sum_exp", N),
        inclusion{Vector<T, Exec>("bcr::tests::log_p", N), Vector<T, Exec>("bcr::tests::log_q", N),
                  Vector<T, Exec>("bcr::tests::hazard_p", N), Vector<T, Exec>("bcr::tests::hazard_q", N)} {}

  void step() const {
    kernels::squared_distance<Exec, T>(exec, src, centres, distances);
    kernels::nearest<Exec, T>(exec, distances, index, nearest);
    kernels::row_softmax<Exec, T>(exec, distances, T(-1), probabilities, log_sum_exp);
    kernels::evaluate<T, Exec>(exec, plan, nearest, inclusion);
    kernels::squared_distance_diff_src<Exec, T>(exec, src, centres, probabilities, diff_src);
    kernels::squared_distance_diff_centres<Exec, T>(exec, src, centres, probabilities, diff_centres);
    exec.fence("bcr::tests::head");
  }

  Exec exec;
  kernels::InclusionPlan plan;
  Matrix<T, Exec> src, centres, distances, probabilities, diff_src, diff_centres;
  Labels<Exec> index;
  Vector<T, Exec> nearest, log_sum_exp;
  kernels::InclusionVectors<T, Exec> inclusion;
};

template <class Exec>
class HeadTest : public ::testing::Test {};
TYPED_TEST_SUITE(HeadTest, ExecSpaces);

template <class Exec, class T>
void expect_no_allocation_after_the_first_step(const int N, const int n, const int C) {
  const Head<Exec, T> head(N, n, C);
  head.step();

  const AllocationCounter allocations;
  for (int k = 0; k < 3; ++k) head.step();

  EXPECT_EQ(allocations.count(), 0) << "N=" << N << " n=" << n << " C=" << C;
}

TYPED_TEST(HeadTest, AllocatesNothingAfterItsFirstStepInFloat) {
  expect_no_allocation_after_the_first_step<TypeParam, float>(67, 130, 10);
  expect_no_allocation_after_the_first_step<TypeParam, float>(65, 640, 301);
}

TYPED_TEST(HeadTest, AllocatesNothingAfterItsFirstStepInDouble) {
  expect_no_allocation_after_the_first_step<TypeParam, double>(67, 130, 10);
  expect_no_allocation_after_the_first_step<TypeParam, double>(65, 640, 301);
}

}  // namespace
}  // namespace bcr::test
