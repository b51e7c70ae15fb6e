#include "kernels/conv/winograd_bf16.hpp"

#include "src/core/error.hpp"
#include "tests/reference/winograd_bf16.hpp"
#include "tests/support/tolerance.hpp"
#include "tests/support/winograd_case.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bcr::test {
namespace {

using kernels::ChainStart;

using Exec = Kokkos::DefaultHostExecutionSpace;

/// No images, tiles that overhang, one and several blocks of channels, odd numbers of tiles, several bands and chunks.
std::vector<ConvolutionCase> bf16_cases() {
  return {{0, 5, 5, 16, 16, 3, 1, 1},  {1, 1, 1, 16, 16, 3, 1, 1}, {2, 7, 5, 16, 48, 3, 1, 1},
          {1, 4, 6, 80, 32, 3, 1, 1},  {3, 5, 8, 32, 16, 3, 1, 1}, {1, 3, 61, 16, 48, 3, 1, 0},
          {75, 7, 8, 16, 16, 3, 1, 1}, {1, 4, 3, 80, 80, 3, 1, 2}};
}

reference::Tensor<float> bf16_forward(const ConvolutionCase& c, const reference::Tensor<float>& src,
                                      const reference::Tensor<float>& weights, const reference::Tensor<float>& dst,
                                      const ChainStart start) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_dst = upload<Exec>(dst);
  kernels::winograd_bf16_forward<Exec>(
      Exec{}, c.pad, upload<Exec>(src), device_weights, {}, device_dst, start,
      workspace<Exec, float>(kernels::winograd_forward_workspace_size<Exec, float>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<float, Exec>(device_dst);
}

reference::Tensor<float> bf16_gradient(const ConvolutionCase& c, const reference::Tensor<float>& diff_dst,
                                       const reference::Tensor<float>& weights,
                                       const reference::Tensor<float>& diff_src, const ChainStart start) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_diff_src = upload<Exec>(diff_src);
  kernels::winograd_bf16_backward_data<Exec>(
      Exec{}, c.pad, upload<Exec>(diff_dst), device_weights, device_diff_src, start,
      workspace<Exec, float>(kernels::winograd_backward_data_workspace_size<Exec, float>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<float, Exec>(device_diff_src);
}

reference::Tensor<float> bf16_weights(const ConvolutionCase& c, const reference::Tensor<float>& src,
                                      const reference::Tensor<float>& diff_dst) {
  const auto diff_weights = upload<Exec>(reals<float>(c.weights(), 99));
  const auto device_diff_dst = upload<Exec>(diff_dst);
  kernels::winograd_bf16_backward_weights<Exec>(
      Exec{}, c.pad, upload<Exec>(src), device_diff_dst, diff_weights,
      workspace<Exec, float>(
          kernels::winograd_backward_weights_workspace_size<Exec, float>(device_diff_dst, diff_weights)));
  Kokkos::fence("bcr::tests");
  return download<float, Exec>(diff_weights);
}

/// The largest error, in units of what float may lose of a sum of `terms` terms of these magnitudes.
double largest_error(const reference::Tensor<float>& found, const reference::Estimate& expected, const int terms) {
  double largest = 0;
  for (std::size_t i = 0; i < found.value.size(); ++i) {
    const double allowed = tolerance::sum_of_bf16_products(terms) * expected.magnitude.value[i];
    const double error = std::abs(double(found.value[i]) - expected.value.value[i]);
    largest = std::max(largest, error == 0 ? 0 : error / allowed);
  }
  return largest;
}

TEST(WinogradBf16, IsExactOnIntegers) {
  for (const auto& c : bf16_cases()) {
    const auto src = integers<float>(c.src(), 1);
    const auto weights = integers<float>(c.weights(), 2);
    const auto diff_dst = integers<float>(c.dst(), 3);
    const auto dst = bf16_forward(c, src, weights, reals<float>(c.dst(), 4), ChainStart::zero);
    const auto diff_src = bf16_gradient(c, diff_dst, weights, reals<float>(c.src(), 4), ChainStart::zero);
    const auto diff_weights = bf16_weights(c, src, diff_dst);

    const auto zero = [](const std::array<int, 4>& extents) { return reference::Tensor<double>(extents); };
    EXPECT_EQ(dst.value, converted<float>(reference::convolution_forward(src, weights, zero(c.dst()), 1, c.pad)).value)
        << c;
    EXPECT_EQ(diff_src.value,
              converted<float>(reference::convolution_backward_data(diff_dst, weights, zero(c.src()), 1, c.pad)).value)
        << c;
    EXPECT_EQ(
        diff_weights.value,
        converted<float>(reference::convolution_backward_weights(src, diff_dst, zero(c.weights()), 1, c.pad)).value)
        << c;
  }
}

/// The values are such that transforms are exact in float: only the sums of the products round.
TEST(WinogradBf16, SumsTheProductsOfRoundedFactors) {
  for (const auto& c : bf16_cases()) {
    const auto src = reals<float>(c.src(), 1);
    const auto weights = reals<float>(c.weights(), 2);
    const auto start = reals<float>(c.dst(), 3);
    const auto dst = bf16_forward(c, src, weights, start, ChainStart::dst);
    const auto diff_src = bf16_gradient(c, start, weights, src, ChainStart::dst);
    const auto diff_weights = bf16_weights(c, src, start);

    const auto in_double = [](const auto& tensor) { return converted<double>(tensor); };
    const auto forward = reference::winograd_bf16(in_double(src), in_double(weights), in_double(start), c.pad);
    const auto gradient =
        reference::winograd_bf16(in_double(start), in_double(reference::turned(weights)), in_double(src), 2 - c.pad);
    const auto of_weights = reference::winograd_bf16_weights(in_double(src), in_double(start), c.weights(), c.pad);
    EXPECT_LE(largest_error(dst, forward, c.inputs), 1) << c;
    EXPECT_LE(largest_error(diff_src, gradient, c.outputs), 1) << c;
    EXPECT_LE(largest_error(diff_weights, of_weights, c.images * c.height * c.width / 4), 1) << c;
  }
}

TEST(WinogradBf16, HasTheSameBitsTwice) {
  const ConvolutionCase c{40, 8, 8, 32, 48, 3, 1, 1};
  const auto src = reals<float>(c.src(), 1);
  const auto diff_dst = reals<float>(c.dst(), 2);
  EXPECT_EQ(bf16_weights(c, src, diff_dst).value, bf16_weights(c, src, diff_dst).value);
}

TEST(WinogradBf16, RefusesChannelsThatAreNoWholeBlocks) {
  const Tensor4<float, Exec> src("bcr::tests::src", 1, 4, 4, 16);
  const Tensor4<float, Exec> weights("bcr::tests::weights", 3, 3, 16, 24);
  const Tensor4<float, Exec> dst("bcr::tests::dst", 1, 4, 4, 24);
  const Vector<float, Exec> space("bcr::tests::workspace", 1 << 16);
  EXPECT_THROW((kernels::winograd_bf16_forward<Exec>(Exec{}, 1, src, weights, {}, dst, ChainStart::zero, space)),
               ShapeError);
  EXPECT_THROW((kernels::winograd_bf16_backward_data<Exec>(Exec{}, 1, dst, weights, src, ChainStart::zero, space)),
               ShapeError);
  EXPECT_THROW((kernels::winograd_bf16_backward_weights<Exec>(Exec{}, 1, src, dst, weights, space)), ShapeError);
  EXPECT_FALSE(kernels::winograd_serves_bf16({{1, 1}, 3, 4, 4, 16, 24}));
  EXPECT_TRUE(kernels::winograd_serves_bf16({{1, 1}, 3, 4, 4, 16, 32}));
}

TEST(Bf16Pairs, AreRoundedToNearestEvenAndLieInTurn) {
  constexpr int lanes = kernels::channel_block<float>;
  float first[lanes] = {}, second[lanes] = {};
  const float values[] = {1.0f, 1.00390625f, 1.01171875f, -1.005f, 3.4e38f, 0x1p-126f};
  const std::uint16_t bits[] = {0x3f80, 0x3f80, 0x3f82, 0xbf81, 0x7f80, 0x0080};
  for (int i = 0; i < 6; ++i) first[i] = second[lanes - 1 - i] = values[i];
  kernels::Bf16 pairs[2 * lanes];
  kernels::impl::store_pairs(kernels::impl::Lanes<float>::load(first), kernels::impl::Lanes<float>::load(second),
                             pairs);
  kernels::Bf16 row[lanes];
  kernels::impl::store_rounded(kernels::impl::Lanes<float>::load(first), row);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(pairs[2 * i].bits, bits[i]) << values[i];
    EXPECT_EQ(pairs[2 * (lanes - 1 - i) + 1].bits, bits[i]) << values[i];
    EXPECT_EQ(row[i].bits, bits[i]) << values[i];
  }
}

}  // namespace
}  // namespace bcr::test
