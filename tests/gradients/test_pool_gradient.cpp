#include "kernels/pool/pool.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/tolerance.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace bcr::test {
namespace {

template <class Exec>
class PoolGradient : public ::testing::Test {};
TYPED_TEST_SUITE(PoolGradient, ExecSpaces);

const kernels::PoolWindow windows[] = {{2, 2, 0}, {3, 2, 1}, {3, 1, 1}};
constexpr double step = 0x1p-24;  // smaller than the distance of any two pixels, so no other pixel takes the lead

/// Distinct pixels, 2^-20 apart, in mixed order.
reference::Tensor<double> distinct(const std::array<int, 4>& extent) {
  reference::Tensor<double> tensor(extent);
  const std::size_t size = tensor.value.size();
  for (std::size_t i = 0; i < size; ++i) tensor.value[i] = static_cast<double>(i * 97 % size) * 0x1p-20;
  return tensor;
}

/// Pooling is linear for small steps: a central difference is exact up to rounding.
template <class Exec, class Forward, class Backward>
void expect_gradient(const kernels::PoolWindow& window, const Forward& forward, const Backward& backward) {
  auto src = distinct({2, 7, 6, 3});
  const auto diff_dst = integers<double>({2, window.outputs(7), window.outputs(6), 3}, 2);
  const auto product = [&] {
    const auto dst = upload<Exec>(reference::Tensor<double>(diff_dst.extent));
    forward(upload<Exec>(src), dst);
    const auto values = download<double, Exec>(dst).value;
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * diff_dst.value[i];
    return sum;
  };

  const auto diff_src = upload<Exec>(src);
  backward(upload<Exec>(src), upload<Exec>(diff_dst), diff_src);

  const auto gradient = download<double, Exec>(diff_src).value;
  for (std::size_t i = 0; i < src.value.size(); ++i) {
    const double centre = src.value[i];
    src.value[i] = centre + step;
    const double above = product();
    src.value[i] = centre - step;
    const double below = product();
    src.value[i] = centre;
    EXPECT_NEAR(gradient[i], (above - below) / (2 * step), tolerance::pool_difference) << i;
  }
}

TYPED_TEST(PoolGradient, OfTheLargestAgreesWithCentralDifferences) {
  using View = Tensor4<double, TypeParam>;
  for (const auto& window : windows) {
    expect_gradient<TypeParam>(
        window,
        [&](const View& src, const View& dst) {
          kernels::max_pool_forward<TypeParam, double>(TypeParam{}, window, src, dst);
        },
        [&](const View& src, const View& diff_dst, const View& diff_src) {
          kernels::max_pool_backward<TypeParam, double>(TypeParam{}, window, src, diff_dst, diff_src);
        });
  }
}

TYPED_TEST(PoolGradient, OfTheMeanAgreesWithCentralDifferences) {
  using View = Tensor4<double, TypeParam>;
  for (const auto& window : windows) {
    expect_gradient<TypeParam>(
        window,
        [&](const View& src, const View& dst) {
          kernels::average_pool_forward<TypeParam, double>(TypeParam{}, window, src, dst);
        },
        [&](const View&, const View& diff_dst, const View& diff_src) {
          kernels::average_pool_backward<TypeParam, double>(TypeParam{}, window, diff_dst, diff_src);
        });
  }
}

}  // namespace
}  // namespace bcr::test
