#include "kernels/norm/column_sums.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/batch_norm_case.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/invalid_trap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace bcr::test {
namespace {

using kernels::Activation;
using kernels::ChainStart;
using kernels::Dropout;

template <class Exec>
class BatchNorm : public ::testing::Test {};
TYPED_TEST_SUITE(BatchNorm, ExecSpaces);

/// Rows: none, one, odd, around a chunk, a tree with a leftover, a tree of two levels of 32 chunks. Channels: one, odd,
/// a strip of the maps repeated, just above one, and several.
const std::vector<std::pair<int, int>> norm_shapes{{0, 3},     {1, 1},    {7, 3},    {65, 16},   {256, 33},
                                              {259, 130}, {1301, 5}, {67, 640}, {513, 128}, {3, 127},
                                              {9001, 1},  {9001, 8}, {35, 0}};
const Dropout none{};
const Dropout some{0.3, 0x0123456789ABCDEFull, 77, 5};
/// Two stretches of a larger tensor, neither of which begins with a block of the mask.
const Dropout stretches{0.3, 0x0123456789ABCDEFull, 77, 5, {.split = 147, .first = 3, .second = 100'001}};

template <class T, class F>
void expect_elements(const std::vector<T>& received, const F& expected, const int rows, const int channels) {
  ASSERT_EQ(received.size(), static_cast<std::size_t>(rows) * channels);
  std::vector<T> wanted;
  for (std::size_t e = 0; e < received.size(); ++e) wanted.push_back(expected(e, static_cast<int>(e % channels)));
  EXPECT_TRUE(same_bits(received, wanted)) << "[" << rows << ", " << channels << "]";
}

template <class Exec, class T>
void expect_documented_moments() {
  for (const auto& [rows, channels] : norm_shapes) {
    const BatchNormCase<Exec, T> layer(rows, channels, Activation::none, none);
    const Vector<T, Exec> columns("bcr::tests::columns", channels);

    kernels::batch_norm_sums<Exec, T>(layer.exec, to_device<Exec>(layer.src), layer.partials(), layer.sums);
    kernels::column_sums<Exec, T>(layer.exec, to_device<Exec>(layer.src), layer.partials(), columns);

    const auto& x = layer.src.entries;
    std::vector<double> expected(2 * channels);
    std::vector<T> expected_columns(channels);
    for (int c = 0; c < channels; ++c) {
      expected[c] = reference::column_sum(rows, channels, c, [&](const auto e, const double s) { return s + x[e]; });
      expected[channels + c] = reference::column_sum(
          rows, channels, c, [&](const auto e, const double s) { return std::fma(double(x[e]), double(x[e]), s); });
      expected_columns[c] = static_cast<T>(expected[c]);
    }
    EXPECT_TRUE(same_bits(to_host(layer.sums), expected)) << rows << " x " << channels;
    EXPECT_TRUE(same_bits(to_host(columns), expected_columns)) << rows << " x " << channels;
  }
}

TYPED_TEST(BatchNorm, SumsFollowTheDocumentedOrder) {
  expect_documented_moments<TypeParam, float>();
  expect_documented_moments<TypeParam, double>();
}

template <class Exec, class T>
void expect_documented_coefficients() {
  for (const auto& [rows, channels] : norm_shapes) {
    if (rows == 0) continue;
    BatchNormCase<Exec, T> layer(rows, channels, Activation::none, none);

    layer.compute_coefficients();

    const auto sums = to_host(layer.sums);
    const auto running_mean = to_host(layer.running.mean), running_variance = to_host(layer.running.variance);
    const auto received = layer.host_channels();
    for (int c = 0; c < channels; ++c) {
      const double mean = sums[c] / rows;
      const double variance = std::fmax(0, std::fma(-mean, mean, sums[channels + c] / rows));
      const double sample = (rows > 1 ? double(rows) / (rows - 1) : 1) * variance;
      const auto expected = reference::channel<T>(mean, variance, layer.gamma[c], layer.beta[c], layer.epsilon);
      EXPECT_EQ(received[c].mean, expected.mean);
      EXPECT_EQ(received[c].inverse_std, expected.inverse_std);
      EXPECT_EQ(received[c].scale, expected.scale);
      EXPECT_EQ(received[c].shift, expected.shift);
      EXPECT_EQ(running_mean[c], static_cast<T>(0.1 * mean));
      EXPECT_EQ(running_variance[c], static_cast<T>(std::fma(0.1, sample, 0.9)));
    }
  }
}

TYPED_TEST(BatchNorm, CoefficientsAndRunningStatisticsFollowTheFormulas) {
  expect_documented_coefficients<TypeParam, float>();
  expect_documented_coefficients<TypeParam, double>();
}

TYPED_TEST(BatchNorm, AConstantChannelHasNoNegativeVariance) {
  BatchNormCase<TypeParam, float> layer(1001, 1, Activation::none, none);
  for (float& x : layer.src.entries) x = 0.1f;  // sum x^2 / n - mean^2 rounds to either side of zero

  layer.compute_coefficients();

  EXPECT_EQ(to_host(layer.coefficients.inverse_std)[0], static_cast<float>(1 / std::sqrt(1e-5)));
  EXPECT_NEAR(layer.forward()[0], layer.beta[0], 1e-4);
}

TYPED_TEST(BatchNorm, InferenceUsesTheRunningStatistics) {
  BatchNormCase<TypeParam, float> layer(3, 33, Activation::none, none);
  Kokkos::deep_copy(layer.running.mean, 0.7f);
  Kokkos::deep_copy(layer.running.variance, 2.3f);

  kernels::batch_norm_inference_coefficients<TypeParam, float>(
      layer.exec, layer.running, {to_device<TypeParam>(layer.gamma), to_device<TypeParam>(layer.beta)}, layer.epsilon,
      layer.coefficients);

  const auto received = layer.host_channels();
  for (int c = 0; c < 33; ++c) {
    const auto expected = reference::channel<float>(0.7f, 2.3f, layer.gamma[c], layer.beta[c], layer.epsilon);
    EXPECT_EQ(received[c].scale, expected.scale);
    EXPECT_EQ(received[c].shift, expected.shift);
  }
}

template <class Exec, class T>
void expect_documented_passes(const Activation activation, const Dropout& dropout) {
  for (const auto& [rows, channels] : norm_shapes) {
    if (rows == 0) continue;
    BatchNormCase<Exec, T> layer(rows, channels, activation, dropout);
    layer.compute_coefficients();
    const auto channel = layer.host_channels();
    const auto& x = layer.src.entries;
    const auto& d = layer.diff_dst.entries;
    const int width = channels;
    const T factor = static_cast<T>(dropout.factor());
    const auto before = random_reals<T>(rows, channels, -1, 1, 15);
    std::vector<T> m;  // what of the gradient passes relu and dropout
    for (std::size_t e = 0; e < x.size(); ++e)
      m.push_back(reference::passed_back(channel[e % width], x[e], d[e], layer.with_relu(), layer.kept[e]));

    const auto dst = layer.forward();
    layer.compute_backward_sums();
    const auto fresh = layer.backward(ChainStart::zero, before);
    const auto added = layer.backward(ChainStart::dst, before);

    expect_elements(
        dst,
        [&](auto e, int c) { return reference::forward(channel[c], x[e], layer.with_relu(), layer.kept[e], factor); },
        rows, channels);
    std::vector<double> sums(2 * channels);
    for (int c = 0; c < channels; ++c) {
      sums[c] = dropout.factor() * reference::column_sum(rows, channels, c, [&](const auto e, const double s) {
                  return s + double(m[e]);
                });
      const double weight = dropout.factor() * double(channel[c].inverse_std);
      sums[channels + c] = weight * reference::column_sum(rows, channels, c, [&](const auto e, const double s) {
                             const T deviation = x[e] - channel[c].mean;
                             return std::fma(double(m[e]), double(deviation), s);
                           });
    }
    EXPECT_TRUE(same_bits(to_host(layer.sums), sums)) << rows << " x " << channels;
    const auto terms = to_host(layer.terms());
    const auto gradient = [&](const std::size_t e, const int c) {
      const T deviation = x[e] - channel[c].mean;
      return std::fma(terms[c], m[e], std::fma(terms[width + c], deviation, terms[2 * width + c]));
    };
    expect_elements(fresh, gradient, rows, channels);
    expect_elements(
        added, [&](auto e, int c) { return before.entries[e] + gradient(e, c); }, rows, channels);
  }
}

TYPED_TEST(BatchNorm, PassesEqualPlainLoopsBitForBit) {
  for (const auto activation : {Activation::none, Activation::relu}) {
    for (const auto& dropout : {none, some, stretches}) {
      expect_documented_passes<TypeParam, float>(activation, dropout);
      expect_documented_passes<TypeParam, double>(activation, dropout);
    }
  }
}

TYPED_TEST(BatchNorm, ParameterGradientsAreTheSums) {
  BatchNormCase<TypeParam, float> layer(259, 33, Activation::relu, none);
  layer.compute_coefficients();
  layer.compute_backward_sums();
  const auto diff_gamma = layer.vector(), diff_beta = layer.vector();

  kernels::batch_norm_parameter_gradients<TypeParam, float>(layer.exec, layer.sums, diff_gamma, diff_beta);

  const auto sums = to_host(layer.sums);
  for (int c = 0; c < 33; ++c) {
    EXPECT_EQ(to_host(diff_beta)[c], static_cast<float>(sums[c]));
    EXPECT_EQ(to_host(diff_gamma)[c], static_cast<float>(sums[33 + c]));
  }
}

TYPED_TEST(BatchNorm, WorksInPlace) {
  BatchNormCase<TypeParam, float> layer(259, 33, Activation::relu, some);
  layer.compute_coefficients();
  const auto in_place = to_device<TypeParam>(layer.src);
  const auto gradient = to_device<TypeParam>(layer.diff_dst);
  const auto expected = layer.forward();

  kernels::batch_norm_forward<TypeParam, float>(layer.exec, in_place, layer.coefficients.scale,
                                                layer.coefficients.shift, layer.activation, layer.dropout, in_place);
  layer.compute_backward_sums();
  kernels::batch_norm_backward<TypeParam, float>(layer.exec, to_device<TypeParam>(layer.src), gradient,
                                                 layer.coefficients, layer.terms(), layer.activation, layer.dropout,
                                                 ChainStart::zero, gradient);

  EXPECT_TRUE(same_bits(to_host(in_place), expected));
  EXPECT_TRUE(same_bits(to_host(gradient), layer.backward(ChainStart::zero, layer.src)));
}

TYPED_TEST(BatchNorm, NaNIsNotHiddenByTheActivation) {
  const InvalidTrapOff off;
  BatchNormCase<TypeParam, float> layer(65, 3, Activation::relu, none);
  layer.compute_coefficients();
  layer.src(7, 1) = std::numeric_limits<float>::quiet_NaN();

  const auto dst = layer.forward();
  layer.compute_coefficients();

  EXPECT_TRUE(std::isnan(dst[7 * 3 + 1]));
  EXPECT_FALSE(std::isnan(dst[7 * 3 + 2]));
  EXPECT_TRUE(std::isnan(to_host(layer.coefficients.scale)[1]));
  EXPECT_FALSE(std::isnan(to_host(layer.coefficients.scale)[2]));
}

TYPED_TEST(BatchNorm, AllocatesNothing) {
  BatchNormCase<TypeParam, float> layer(1301, 33, Activation::relu, some);
  layer.compute_coefficients();
  const auto src = to_device<TypeParam>(layer.src);
  const auto diff = to_device<TypeParam>(layer.diff_dst);
  const auto partials = layer.partials();

  const AllocationCounter counter;
  kernels::batch_norm_sums<TypeParam, float>(layer.exec, src, partials, layer.sums);
  kernels::batch_norm_backward_sums<TypeParam, float>(layer.exec, src, diff, layer.coefficients, layer.activation,
                                                      layer.dropout, partials, layer.sums);
  layer.exec.fence();

  EXPECT_EQ(counter.count(), 0);
}

TYPED_TEST(BatchNorm, RefusesWhatDoesNotFit) {
  const BatchNormCase<TypeParam, float> layer(300, 4, Activation::relu, none);
  const auto src = to_device<TypeParam>(layer.src);
  const Vector<double, TypeParam> small("bcr::tests::small", 15);
  const auto left = Kokkos::subview(src, Kokkos::ALL, Kokkos::pair<int, int>(0, 3));
  const Matrix<float, TypeParam> gaps = left;
  const Matrix<double, TypeParam> sums("bcr::tests::sums", 2, 3);
  const Dropout all{1.0, 0, 0, 0};

  EXPECT_THROW((kernels::batch_norm_sums<TypeParam, float>(layer.exec, src, small, layer.sums)), ShapeError);
  EXPECT_THROW((kernels::batch_norm_sums<TypeParam, float>(layer.exec, src, layer.partials(), sums)), ShapeError);
  EXPECT_THROW((kernels::batch_norm_sums<TypeParam, float>(layer.exec, gaps, layer.partials(), sums)), ShapeError);
  EXPECT_THROW((kernels::batch_norm_forward<TypeParam, float>(layer.exec, src, layer.coefficients.scale,
                                                              layer.coefficients.shift, Activation::none, all, src)),
               ConfigError);
}

}  // namespace
}  // namespace bcr::test
