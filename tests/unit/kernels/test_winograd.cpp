#include "tests/reference/winograd.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/exec_spaces.hpp"

#include "kernels/conv/winograd.hpp"
#include "kernels/conv/winograd_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bcr::test {
namespace {

using kernels::ChainStart;

template <class Exec>
class Winograd : public ::testing::Test {};
TYPED_TEST_SUITE(Winograd, ExecSpaces);

/// Of the cases, those that the algorithm serves.
std::vector<ConvolutionCase> winograd_cases() {
  auto cases = convolution_cases();
  std::erase_if(cases, [](const auto& c) { return c.kernel != 3 || c.stride != 1; });
  cases.push_back({1, 5, 4, 18, 33, 3, 1, 2});
  return cases;
}

template <class Exec, class T>
reference::Tensor<T> winograd(const ConvolutionCase& c, const reference::Tensor<T>& src,
                              const reference::Tensor<T>& weights, const reference::Tensor<T>& dst,
                              const ChainStart start) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_dst = upload<Exec>(dst);
  kernels::winograd_forward<Exec, T>(
      Exec{}, c.pad, upload<Exec>(src), device_weights, {}, device_dst, start,
      workspace<Exec, T>(kernels::winograd_forward_workspace_size<Exec, T>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(device_dst);
}

template <class Exec, class T>
reference::Tensor<T> winograd_gradient(const ConvolutionCase& c, const reference::Tensor<T>& diff_dst,
                                       const reference::Tensor<T>& weights, const reference::Tensor<T>& diff_src,
                                       const ChainStart start) {
  const auto device_weights = upload<Exec>(weights);
  const auto device_diff_src = upload<Exec>(diff_src);
  kernels::winograd_backward_data<Exec, T>(
      Exec{}, c.pad, upload<Exec>(diff_dst), device_weights, device_diff_src, start,
      workspace<Exec, T>(kernels::winograd_backward_data_workspace_size<Exec, T>(device_weights)));
  Kokkos::fence("bcr::tests");
  return download<T, Exec>(device_diff_src);
}

TYPED_TEST(Winograd, IsExactOnIntegers) {
  for (const auto& c : winograd_cases()) {
    const auto src = integers<float>(c.src(), 1);
    const auto weights = integers<float>(c.weights(), 2);
    const auto diff_dst = integers<float>(c.dst(), 3);

    const auto dst = winograd<TypeParam>(c, src, weights, reals<float>(c.dst(), 4), ChainStart::zero);
    const auto diff_src =
        winograd_gradient<TypeParam>(c, diff_dst, weights, reals<float>(c.src(), 4), ChainStart::zero);

    const auto expected = reference::convolution_forward(src, weights, reference::Tensor<double>(c.dst()), 1, c.pad);
    const auto gradient =
        reference::convolution_backward_data(diff_dst, weights, reference::Tensor<double>(c.src()), 1, c.pad);
    EXPECT_EQ(dst.value, converted<float>(expected).value) << c;
    EXPECT_EQ(diff_src.value, converted<float>(gradient).value) << c;
  }
}

TYPED_TEST(Winograd, HasTheBitsOfTheDocumentedOperations) {
  for (const auto& c : winograd_cases()) {
    const auto src = reals<float>(c.src(), 1);
    const auto weights = reals<float>(c.weights(), 2);
    const auto start = reals<float>(c.dst(), 3);

    const auto dst = winograd<TypeParam>(c, src, weights, start, ChainStart::dst);
    const auto diff_src = winograd_gradient<TypeParam>(c, start, weights, src, ChainStart::dst);

    const auto expected = reference::winograd_chain(src, weights, start, c.pad);
    const auto gradient = reference::winograd_chain(start, reference::turned(weights), src, 2 - c.pad);
    EXPECT_EQ(first_difference(dst, expected), "") << c;
    EXPECT_EQ(first_difference(diff_src, gradient), "") << c;
  }
}

double largest_error(const reference::Tensor<float>& received, const reference::Tensor<double>& expected) {
  double largest = 0;
  for (std::size_t i = 0; i < expected.value.size(); ++i)
    largest = std::max(largest, std::abs(received.value[i] - expected.value[i]));
  return largest;
}

/// The largest error of winograd_forward over that of convolution_forward.
template <class Exec>
double error_ratio(const ConvolutionCase& c, const reference::Tensor<float>& src) {
  const auto weights = reals<float>(c.weights(), 2);
  const reference::Tensor<float> zero(c.dst());
  const auto dst = winograd<Exec>(c, src, weights, zero, ChainStart::zero);
  const auto direct = forward<Exec>(c, src, weights, zero, ChainStart::zero);
  const auto exact = reference::convolution_forward(src, weights, reference::Tensor<double>(c.dst()), 1, c.pad);
  return largest_error(dst, exact) / largest_error(direct, exact);
}

TYPED_TEST(Winograd, ErrsLessThanTheDirectConvolutionBecauseItsChainsAreShorter) {
  for (const int channels : {32, 64, 128}) {
    const ConvolutionCase c{1, 12, 12, channels, 32, 3, 1, 1};
    const auto symmetric = reals<float>(c.src(), 1);
    auto rectified = symmetric;
    for (float& value : rectified.value) value = std::max(value, 0.0f);

    const double ratio = error_ratio<TypeParam>(c, symmetric);
    const double rectified_ratio = error_ratio<TypeParam>(c, rectified);

    this->RecordProperty("error_ratio_" + std::to_string(channels), std::to_string(ratio));
    this->RecordProperty("rectified_error_ratio_" + std::to_string(channels), std::to_string(rectified_ratio));
    EXPECT_GT(std::min(ratio, rectified_ratio), 0) << channels;
    EXPECT_LT(std::max(ratio, rectified_ratio), 1) << channels;
  }
}

TYPED_TEST(Winograd, RefusesOtherKernels) {
  using Exec = TypeParam;
  const Tensor4<float, Exec> src("bcr::tests::src", 1, 4, 4, 2);
  const Tensor4<float, Exec> weights("bcr::tests::weights", 1, 1, 2, 5);
  const Tensor4<float, Exec> dst("bcr::tests::dst", 1, 4, 4, 5);
  const Vector<float, Exec> space("bcr::tests::workspace", 4096);

  EXPECT_THROW((kernels::winograd_forward<Exec, float>(Exec{}, 0, src, weights, {}, dst, ChainStart::zero, space)),
               ShapeError);
}

/// The tile of GPUs with one thread per team.
TEST(WinogradTiles, OfDevicesHaveTheBitsOfTheDocumentedOperations) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  for (const auto& c : winograd_cases()) {
    if (c.images == 0 || c.outputs == 0) continue;
    const auto src = reals<float>(c.src(), 1);
    const auto weights = reals<float>(c.weights(), 2);
    const auto start = reals<float>(c.dst(), 3);
    const auto device_src = upload<Exec>(src);
    const auto device_weights = upload<Exec>(weights);
    const auto dst = upload<Exec>(start);
    const auto space = workspace<Exec, float>(kernels::winograd_forward_workspace_size<Exec, float>(device_weights));
    kernels::winograd_forward<Exec, float>(Exec{}, c.pad, device_src, device_weights, {}, upload<Exec>(start),
                                           ChainStart::zero, space);  // leaves the transformed kernels in space

    const kernels::impl::Winograd<Exec, float> problem{
        .pad = c.pad, .src = device_src, .kernels = space, .bias = {}, .dst = dst, .start = ChainStart::dst};
    kernels::impl::WinogradOnDevice<Exec, float, 1>(problem).launch(Exec{}, "bcr::tests::winograd");
    Kokkos::fence("bcr::tests");

    EXPECT_EQ(first_difference(download<float, Exec>(dst), reference::winograd_chain(src, weights, start, c.pad)), "")
        << c;
  }
}

}  // namespace
}  // namespace bcr::test
