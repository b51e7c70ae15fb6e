#include "tests/support/batch_norm_case.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace bcr::test {
namespace {

using kernels::Activation;
using kernels::ChainStart;

template <class Exec>
class BatchNormGradient : public ::testing::Test {};
TYPED_TEST_SUITE(BatchNormGradient, ExecSpaces);

template <class Exec>
using Layer = BatchNormCase<Exec, double>;

/// The scalar whose gradients are taken: sum dst * diff_dst.
template <class Exec>
double product(Layer<Exec>& layer) {
  layer.compute_coefficients();
  const auto dst = layer.forward();
  double sum = 0;
  for (std::size_t i = 0; i < dst.size(); ++i) sum += dst[i] * layer.diff_dst.entries[i];
  return sum;
}

/// The derivative with respect to `number`, a part of the layer: (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h.
template <class Exec>
double difference(Layer<Exec>& layer, double& number) {
  const double centre = number;
  const double step = 0x1p-10;
  const auto at = [&](const double offset) {
    number = centre + offset;
    return product(layer);
  };
  const double slope = (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
  number = centre;
  return slope;
}

/// No element may cross the kink of relu within a difference.
template <class Exec>
double distance_from_kink(const Layer<Exec>& layer) {
  const auto channel = layer.host_channels();
  double nearest = 1;
  for (std::size_t e = 0; e < layer.src.entries.size(); ++e) {
    const auto& c = channel[e % layer.channels];
    nearest = std::fmin(nearest, std::fabs(std::fma(c.scale, layer.src.entries[e], c.shift)));
  }
  return nearest;
}

template <class Exec>
void expect_gradients(const Activation activation, const kernels::Dropout& dropout) {
  Layer<Exec> layer(9, 3, activation, dropout);
  layer.compute_coefficients();
  ASSERT_GT(distance_from_kink(layer), 0x1p-7);
  layer.compute_backward_sums();
  const auto diff_gamma = layer.vector(), diff_beta = layer.vector();

  const auto diff_src = layer.backward(ChainStart::zero, layer.src);
  kernels::batch_norm_parameter_gradients<Exec, double>(layer.exec, layer.sums, diff_gamma, diff_beta);

  const auto gamma_gradient = to_host(diff_gamma), beta_gradient = to_host(diff_beta);
  for (std::size_t e = 0; e < diff_src.size(); ++e)
    EXPECT_NEAR(diff_src[e], difference(layer, layer.src.entries[e]), tolerance::batch_norm_difference) << e;
  for (int c = 0; c < layer.channels; ++c) {
    EXPECT_NEAR(gamma_gradient[c], difference(layer, layer.gamma[c]), tolerance::batch_norm_difference) << c;
    EXPECT_NEAR(beta_gradient[c], difference(layer, layer.beta[c]), tolerance::batch_norm_difference) << c;
  }
}

TYPED_TEST(BatchNormGradient, AgreesWithCentralDifferences) {
  expect_gradients<TypeParam>(Activation::none, {});
}

TYPED_TEST(BatchNormGradient, ThroughReluAgreesWithCentralDifferences) {
  expect_gradients<TypeParam>(Activation::relu, {});
}

TYPED_TEST(BatchNormGradient, ThroughReluAndDropoutAgreesWithCentralDifferences) {
  expect_gradients<TypeParam>(Activation::relu, {0.3, 1, 2, 3});
}

TYPED_TEST(BatchNormGradient, OfTwoShardsWithJoinedSumsIsThatOfTheWholeBatch) {
  Layer<TypeParam> whole(512, 5, Activation::relu, {});  // two chunks of the sums, one for each shard
  whole.compute_coefficients();
  const auto src = to_device<TypeParam>(whole.src), diff = to_device<TypeParam>(whole.diff_dst);
  whole.compute_backward_sums();
  const auto expected = to_host(whole.sums);
  std::vector<double> joined(expected.size());

  for (const int first : {0, 256}) {
    const Kokkos::pair<int, int> rows(first, first + 256);
    const Matrix<double, TypeParam> part = Kokkos::subview(src, rows, Kokkos::ALL);
    const Matrix<double, TypeParam> diff_part = Kokkos::subview(diff, rows, Kokkos::ALL);
    const Matrix<double, TypeParam> sums("bcr::tests::sums", 2, 5);
    kernels::batch_norm_backward_sums<TypeParam, double>(whole.exec, part, diff_part, whole.coefficients,
                                                         whole.activation, whole.dropout, whole.partials(), sums);
    const auto values = to_host(sums);
    for (std::size_t i = 0; i < joined.size(); ++i) joined[i] += values[i];
  }

  for (std::size_t i = 0; i < joined.size(); ++i)
    EXPECT_NEAR(joined[i], expected[i], tolerance::fixed_sum * 512) << i;  // the factors are applied before the join
}

}  // namespace
}  // namespace bcr::test
