#include "tests/support/convolution_case.hpp"
#include "tests/support/exec_spaces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>

namespace bcr::test {
namespace {

using kernels::ChainStart;

template <class Exec>
class ConvolutionGradient : public ::testing::Test {};
TYPED_TEST_SUITE(ConvolutionGradient, ExecSpaces);

/// The scalar whose gradients are taken: sum dst * diff_dst.
template <class Exec>
double product_with(const ConvolutionCase& c, const reference::Tensor<double>& src,
                    const reference::Tensor<double>& weights, const reference::Tensor<double>& diff_dst) {
  const auto dst = forward<Exec>(c, src, weights, reference::Tensor<double>(c.dst()), ChainStart::zero);
  double sum = 0;
  for (std::size_t i = 0; i < dst.value.size(); ++i) sum += dst.value[i] * diff_dst.value[i];
  return sum;
}

/// A convolution is linear in each argument: a central difference of step 1 has rounding errors only,
/// at most eps times the number of terms for inputs below 1.
template <class Function>
void expect_gradient(const ConvolutionCase& c, reference::Tensor<double> at, const reference::Tensor<double>& gradient,
                     const Function& function) {
  const double terms =
      static_cast<double>(reference::Tensor<double>(c.dst()).value.size()) * c.kernel * c.kernel * c.inputs;
  const double tolerance = std::numeric_limits<double>::epsilon() * terms;
  for (std::size_t i = 0; i < at.value.size(); i += 5) {
    const double centre = at.value[i];
    at.value[i] = centre + 1;
    const double above = function(at);
    at.value[i] = centre - 1;
    const double below = function(at);
    at.value[i] = centre;
    EXPECT_NEAR(gradient.value[i], (above - below) / 2, tolerance) << c << ", element " << i;
  }
}

const ConvolutionCase cases[] = {{2, 5, 4, 3, 9, 3, 1, 1},
                                 {2, 5, 6, 3, 4, 3, 2, 1},
                                 {3, 4, 5, 2, 3, 1, 2, 0},
                                 {2, 4, 5, 10, 3, 1, 1, 0},
                                 {1, 5, 5, 2, 2, 3, 1, 0}};

TYPED_TEST(ConvolutionGradient, OfTheSourceAgreesWithCentralDifferences) {
  for (const auto& c : cases) {
    const auto src = reals<double>(c.src(), 1);
    const auto weights = reals<double>(c.weights(), 2);
    const auto diff_dst = reals<double>(c.dst(), 3);

    const auto gradient = backward_data<TypeParam>(c, diff_dst, weights, reals<double>(c.src(), 4), ChainStart::zero);

    expect_gradient(c, src, gradient,
                    [&](const auto& at) { return product_with<TypeParam>(c, at, weights, diff_dst); });
  }
}

TYPED_TEST(ConvolutionGradient, OfTheWeightsAgreesWithCentralDifferences) {
  for (const auto& c : cases) {
    const auto src = reals<double>(c.src(), 1);
    const auto weights = reals<double>(c.weights(), 2);
    const auto diff_dst = reals<double>(c.dst(), 3);

    const auto gradient = backward_weights<TypeParam>(c, src, diff_dst);

    expect_gradient(c, weights, gradient,
                    [&](const auto& at) { return product_with<TypeParam>(c, src, at, diff_dst); });
  }
}

}  // namespace
}  // namespace bcr::test
