#include "kernels/gaussian/gaussian.hpp"
#include "kernels/norm/curves.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/host_matrix.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bcr::test {
namespace {

using kernels::GaussianElement;
using kernels::JoinedGaussian;

/// u of a variance.
double raw_of(const double variance) {
  return std::log(std::expm1(variance - 1e-8));
}

TEST(Gaussian, VariancesArePositiveAndFinite) {
  EXPECT_NEAR((GaussianElement{0, 0.3}.variance()), std::log1p(std::exp(0.3)) + 1e-8, 1e-15);
  EXPECT_NEAR((GaussianElement{0, 50}.variance()), 50 + 1e-8, 1e-13);
  EXPECT_NEAR((GaussianElement{0, -50}.variance()), 1e-8, 1e-20);
  for (const double u : {-1e300, -50.0, 0.0, 50.0, 1e300}) {
    EXPECT_GT((GaussianElement{0, u}.variance()), 0);
    EXPECT_TRUE(std::isfinite(GaussianElement{0, u}.variance()) && std::isfinite(GaussianElement{0, u}.slope()));
  }
}

/// KL(N(q_m, q_v) | N(m_d, b)) as it is written for two Gaussians, and a value worked out by hand.
TEST(Gaussian, DivergenceIsThatOfTheProductFromTheUpperOne) {
  const double a = 0.4, b = 1.3;
  const JoinedGaussian joined({0.7, raw_of(a)}, {-0.3, raw_of(b)});
  const double distance = joined.mean + 0.3;

  EXPECT_NEAR(joined.mean, (0.7 * b - 0.3 * a) / (a + b), 1e-12);
  EXPECT_NEAR(joined.variance, a * b / (a + b), 1e-12);
  EXPECT_NEAR(joined.divergence(),
              0.5 * (std::log(b / joined.variance) + (joined.variance + distance * distance) / b - 1), 1e-12);
  EXPECT_NEAR(joined.divergence(), 0.5660200451, 1e-9);
}

TEST(Gaussian, OfAWideLowerOneIsTheUpperOne) {
  const JoinedGaussian joined({0.7, 1e12}, {-0.3, raw_of(1.3)});

  EXPECT_NEAR(joined.mean, -0.3, 1e-11);
  EXPECT_NEAR(joined.variance, 1.3, 1e-11);
  EXPECT_NEAR(joined.divergence(), 0, 1e-11);
  EXPECT_NEAR(JoinedGaussian({2, 0.5}, {2, 0.5}).divergence(), 0.5 * (std::log(2.0) - 0.5), 1e-14);
}

TEST(Gaussian, StaysFiniteFarApart) {
  for (const double apart : {0.0, 1e4, 1e8})
    for (const double up : {-50.0, 0.0, 50.0})
      for (const double down : {-50.0, 0.0, 50.0}) {
        const JoinedGaussian joined({apart, up}, {0, down});
        const auto by = joined.gradient(1, 1, 1);
        EXPECT_TRUE(std::isfinite(joined.divergence() + by.up_mean + by.a + by.down_mean + by.b));
      }
}

template <class Exec>
class GaussianKernels : public ::testing::Test {};
TYPED_TEST_SUITE(GaussianKernels, ExecSpaces);

/// Mean 0 and deviation 1 of the noise; none is its mean; another step, other noise; a shard sees its part of the whole.
TYPED_TEST(GaussianKernels, SamplesAreAFunctionOfSeedStreamStepAndElement) {
  constexpr int rows = 500, d = 30;
  const Matrix<double, TypeParam> src("src", rows, 2 * d), dst("dst", rows, d);
  kernels::GaussianNoise noise{.drawn = true, .seed = 1, .stream = Stream("gaussian/test"), .step = 3};
  const auto run = [&](const int first, const int count) {
    const Matrix<double, TypeParam> part(dst.data(), count, d), from(src.data(), count, 2 * d);
    noise.numbers = {std::uint64_t(rows) * d, std::uint64_t(first) * d, 0};
    kernels::gaussian_sample<TypeParam, double>(TypeParam(), from, noise, part);
    return to_host(part);
  };
  const std::vector<double> all = run(0, rows), part = run(7, 20);
  const double deviation = std::sqrt(std::log(2.0) + 1e-8);
  double sum = 0, squares = 0;
  for (const double x : all) {
    sum += x / deviation;
    squares += x * x / deviation / deviation;
  }
  noise.step = 4;
  const std::vector<double> later = run(0, rows);
  noise.drawn = false;
  const std::vector<double> means = run(0, rows);

  EXPECT_NEAR(sum / all.size(), 0, 5 / std::sqrt(double(all.size())));
  EXPECT_NEAR(squares / all.size(), 1, 5 * std::sqrt(2.0 / double(all.size())));
  EXPECT_EQ(part, std::vector<double>(all.begin() + 7 * d, all.begin() + 27 * d));
  EXPECT_NE(all, later);
  EXPECT_EQ(means, std::vector<double>(all.size(), 0.0));
}

/// Against plain loops; more elements than a chunk of the sum.
TYPED_TEST(GaussianKernels, LeakyReluAndTanh) {
  constexpr std::size_t size = 2500;
  std::vector<double> x(size), diff(size);
  for (std::size_t i = 0; i < size; ++i) {
    x[i] = i == 5 ? 0 : std::sin(1.3 * double(i));
    diff[i] = std::cos(0.7 * double(i));
  }
  const auto device = [](const std::vector<double>& values) {
    const Vector<double, TypeParam> view("values", values.size());
    const auto host = Kokkos::create_mirror_view(view);
    std::copy(values.begin(), values.end(), host.data());
    Kokkos::deep_copy(view, host);
    return view;
  };
  const Vector<double, TypeParam> dst("dst", size), slope = device({0.3}), diff_slope("diff_slope", 1);
  const Vector<double, TypeParam> partials("partials", kernels::leaky_relu_partials(size));
  const TypeParam exec;
  kernels::leaky_relu_forward<TypeParam, double>(exec, device(x), slope, dst);
  const std::vector<double> bent = to_host(dst);
  kernels::leaky_relu_backward<TypeParam, double>(exec, device(x), slope, device(diff), dst);
  const std::vector<double> bent_diff = to_host(dst);
  kernels::leaky_relu_slope_gradient<TypeParam, double>(exec, device(x), device(diff), partials, diff_slope);
  kernels::tanh_forward<TypeParam, double>(exec, device(x), dst);
  const std::vector<double> curved = to_host(dst);
  kernels::tanh_backward<TypeParam, double>(exec, dst, device(diff), dst);
  const std::vector<double> curved_diff = to_host(dst);

  double sum = 0, magnitude = 0;
  for (std::size_t i = 0; i < size; ++i) {
    EXPECT_EQ(bent[i], x[i] > 0 ? x[i] : 0.3 * x[i]);
    EXPECT_EQ(bent_diff[i], x[i] > 0 ? diff[i] : 0.3 * diff[i]);
    EXPECT_NEAR(curved[i], std::tanh(x[i]), 4 * tolerance::eps);
    EXPECT_NEAR(curved_diff[i], diff[i] / std::pow(std::cosh(x[i]), 2), 16 * tolerance::eps);
    if (x[i] > 0) continue;
    sum += diff[i] * x[i];
    magnitude += std::abs(diff[i] * x[i]);
  }
  EXPECT_NEAR(to_host(diff_slope)[0], sum, tolerance::fixed_sum * magnitude);
}

}  // namespace
}  // namespace bcr::test
