#include "kernels/distance/squared_distance.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bcr::test {
namespace {

/// L = sum_ic weight(i, c) D^2(i, c): its gradient with respect to D^2 is `weight`.
template <class Exec>
struct WeightedLoss {
  HostMatrix<double> src;
  HostMatrix<double> centres;
  HostMatrix<double> weight;

  double operator()() const {
    Matrix<double, Exec> distances("bcr::tests::distances", src.rows, centres.rows);
    kernels::squared_distance<Exec, double>(Exec{}, to_device<Exec>(src), to_device<Exec>(centres), distances);
    const std::vector<double> values = to_host(distances);
    double loss = 0;
    for (std::size_t k = 0; k < values.size(); ++k) loss += weight.entries[k] * values[k];
    return loss;
  }

  /// D^2 is quadratic, so a central difference has no truncation error: the step may be large.
  double slope(double& entry) const {
    const double step = 0.25;
    const double centre = entry;
    entry = centre + step;
    const double above = (*this)();
    entry = centre - step;
    const double below = (*this)();
    entry = centre;
    return (above - below) / (2 * step);
  }
};

template <class Exec>
class SquaredDistanceGradient : public ::testing::Test {};
TYPED_TEST_SUITE(SquaredDistanceGradient, ExecSpaces);

TYPED_TEST(SquaredDistanceGradient, AgreesWithCentralDifferences) {
  const int N = 5;
  const int C = 7;
  const int n = 19;
  WeightedLoss<TypeParam> loss{random_reals<double>(N, n, -1, 1, 51), random_reals<double>(C, n, -1, 1, 52),
                               random_reals<double>(N, C, -1, 1, 53)};
  Matrix<double, TypeParam> diff_src("bcr::tests::diff_src", N, n);
  Matrix<double, TypeParam> diff_centres("bcr::tests::diff_centres", C, n);
  const auto src = to_device<TypeParam>(loss.src);
  const auto centres = to_device<TypeParam>(loss.centres);
  const auto diff_dst = to_device<TypeParam>(loss.weight);

  kernels::squared_distance_diff_src<TypeParam, double>(TypeParam{}, src, centres, diff_dst, diff_src);
  kernels::squared_distance_diff_centres<TypeParam, double>(TypeParam{}, src, centres, diff_dst, diff_centres);

  const std::vector<double> by_src = to_host(diff_src);
  const std::vector<double> by_centres = to_host(diff_centres);
  for (std::size_t k = 0; k < by_src.size(); ++k) {
    EXPECT_NEAR(by_src[k], loss.slope(loss.src.entries[k]), tolerance::quadratic_difference) << k;
  }
  for (std::size_t k = 0; k < by_centres.size(); ++k) {
    EXPECT_NEAR(by_centres[k], loss.slope(loss.centres.entries[k]), tolerance::quadratic_difference) << k;
  }
}

}  // namespace
}  // namespace bcr::test
