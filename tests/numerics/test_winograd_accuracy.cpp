#include "tests/support/exec_spaces.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/support/winograd_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

// The error of the minimal filtering algorithm over that of the direct convolution, on symmetric sources and on
// rectified ones, whose sums grow.
namespace bcr::test {
namespace {

using kernels::ChainStart;

template <class Exec>
class WinogradAccuracy : public ::testing::Test {};
TYPED_TEST_SUITE(WinogradAccuracy, ExecSpaces);

double largest_error(const reference::Tensor<float>& received, const reference::Tensor<double>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.value.size(); ++i)
    largest = std::max(largest, std::abs(received.value[i] - expected.value[i]));
  return largest;
}

template <class Exec>
double forward_ratio(const ConvolutionCase& c, const reference::Tensor<float>& src) {
  const auto weights = reals<float>(c.weights(), 2);
  const reference::Tensor<float> zero(c.dst());
  const auto exact = reference::convolution_forward(src, weights, reference::Tensor<double>(c.dst()), 1, c.pad);
  return largest_error(winograd<Exec>(c, src, weights, zero, ChainStart::zero), exact) /
         largest_error(forward<Exec>(c, src, weights, zero, ChainStart::zero), exact);
}

template <class Exec>
double weights_ratio(const ConvolutionCase& c, const reference::Tensor<float>& src) {
  const auto diff_dst = reals<float>(c.dst(), 2);
  const auto exact =
      reference::convolution_backward_weights(src, diff_dst, reference::Tensor<double>(c.weights()), 1, c.pad);
  return largest_error(winograd_weights<Exec>(c, src, diff_dst), exact) /
         largest_error(backward_weights<Exec>(c, src, diff_dst), exact);
}

reference::Tensor<float> rectified(reference::Tensor<float> src) {
  for (float& value : src.value) value = std::max(value, 0.0f);
  return src;
}

/// Larger of the ratios on both kinds of sources; written to the report.
template <class Ratio>
double worst_ratio(const ConvolutionCase& c, const std::string& name, const Ratio& ratio) {
  const auto src = reals<float>(c.src(), 1);
  const double symmetric = ratio(c, src);
  const double positive = ratio(c, rectified(src));
  ::testing::Test::RecordProperty(name, std::to_string(symmetric));
  ::testing::Test::RecordProperty(name + "_rectified", std::to_string(positive));
  EXPECT_GT(std::min(symmetric, positive), 0) << c;
  return std::max(symmetric, positive);
}

TYPED_TEST(WinogradAccuracy, ForwardErrsLessThanTheDirectConvolutionBecauseItsChainsAreShorter) {
  for (const int channels : {32, 64, 128}) {
    const ConvolutionCase c{1, 12, 12, channels, 32, 3, 1, 1};

    const double ratio = worst_ratio(c, "forward_" + std::to_string(channels), forward_ratio<TypeParam>);

    EXPECT_LT(ratio, 1) << channels;
  }
}

TYPED_TEST(WinogradAccuracy, OfTheWeightGradientIsNearThatOfTheDirectConvolution) {
  for (const int size : {8, 15, 32}) {
    const ConvolutionCase c{4096 / (size * size), size, size, 8, 16, 3, 1, 1};

    const double ratio = worst_ratio(c, "weights_" + std::to_string(size), weights_ratio<TypeParam>);

    EXPECT_LT(ratio, tolerance::winograd_weights_ratio) << size;
  }
}

}  // namespace
}  // namespace bcr::test
