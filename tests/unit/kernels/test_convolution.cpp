#include "tests/support/convolution_case.hpp"
#include "tests/support/exec_spaces.hpp"

#include "kernels/conv/weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace bcr::test {
namespace {

using kernels::ChainStart;

template <class Exec>
class Convolution : public ::testing::Test {};
TYPED_TEST_SUITE(Convolution, ExecSpaces);

template <class Exec, class T>
void expect_exact_on_integers(const ConvolutionCase& c) {
  const auto src = integers<T>(c.src(), 1);
  const auto weights = integers<T>(c.weights(), 2);
  const auto diff_dst = integers<T>(c.dst(), 3);

  const auto dst = forward<Exec>(c, src, weights, reals<T>(c.dst(), 4), ChainStart::zero);
  const auto diff_src = backward_data<Exec>(c, diff_dst, weights, reals<T>(c.src(), 5), ChainStart::zero);
  const auto diff_weights = backward_weights<Exec>(c, src, diff_dst);

  const auto expected_dst =
      reference::convolution_forward(src, weights, reference::Tensor<double>(c.dst()), c.stride, c.pad);
  const auto expected_src =
      reference::convolution_backward_data(diff_dst, weights, reference::Tensor<double>(c.src()), c.stride, c.pad);
  const auto expected_weights =
      reference::convolution_backward_weights(src, diff_dst, reference::Tensor<double>(c.weights()), c.stride, c.pad);
  EXPECT_EQ(dst.value, converted<T>(expected_dst).value) << c;
  EXPECT_EQ(diff_src.value, converted<T>(expected_src).value) << c;
  EXPECT_EQ(diff_weights.value, converted<T>(expected_weights).value) << c;
}

template <class Exec, class T>
void expect_bits_of_the_chain(const ConvolutionCase& c) {
  const auto src = reals<T>(c.src(), 1);
  const auto weights = reals<T>(c.weights(), 2);
  const auto diff_dst = reals<T>(c.dst(), 3);
  const int chunk = kernels::backward_weights_chunk(c.dst()[1], c.dst()[2]);

  const auto dst = forward<Exec>(c, src, weights, reals<T>(c.dst(), 4), ChainStart::zero);
  const auto diff_src = backward_data<Exec>(c, diff_dst, weights, reals<T>(c.src(), 5), ChainStart::zero);
  const auto diff_weights = backward_weights<Exec>(c, src, diff_dst);

  const auto dst_chain = reference::forward_chain(src, weights, reference::Tensor<T>(c.dst()), c.stride, c.pad);
  const auto src_chain =
      reference::backward_data_chain(diff_dst, weights, reference::Tensor<T>(c.src()), c.stride, c.pad);
  const auto weights_chain = reference::backward_weights_chain(src, diff_dst, c.weights(), c.stride, c.pad, chunk);
  EXPECT_EQ(first_difference(dst, dst_chain), "") << c;
  EXPECT_EQ(first_difference(diff_src, src_chain), "") << c;
  EXPECT_EQ(first_difference(diff_weights, weights_chain), "") << c;
}

TYPED_TEST(Convolution, IsExactOnIntegersInFloat) {
  for (const auto& c : convolution_cases()) expect_exact_on_integers<TypeParam, float>(c);
}

TYPED_TEST(Convolution, IsExactOnIntegersInDouble) {
  for (const auto& c : convolution_cases()) expect_exact_on_integers<TypeParam, double>(c);
}

TYPED_TEST(Convolution, HasTheBitsOfTheDocumentedChainInFloat) {
  for (const auto& c : convolution_cases()) expect_bits_of_the_chain<TypeParam, float>(c);
}

TYPED_TEST(Convolution, HasTheBitsOfTheDocumentedChainInDouble) {
  for (const auto& c : convolution_cases()) expect_bits_of_the_chain<TypeParam, double>(c);
}

TYPED_TEST(Convolution, StartsFromTheOutputIfAsked) {
  const ConvolutionCase c{2, 7, 5, 3, 21, 3, 2, 1};
  const auto src = reals<float>(c.src(), 1);
  const auto weights = reals<float>(c.weights(), 2);
  const auto dst = reals<float>(c.dst(), 3);

  const auto sum = forward<TypeParam>(c, src, weights, dst, ChainStart::dst);
  const auto gradient = backward_data<TypeParam>(c, dst, weights, src, ChainStart::dst);

  EXPECT_EQ(first_difference(sum, reference::forward_chain(src, weights, dst, c.stride, c.pad)), "");
  EXPECT_EQ(first_difference(gradient, reference::backward_data_chain(dst, weights, src, c.stride, c.pad)), "");
}

TYPED_TEST(Convolution, StartsFromTheBiasIfAsked) {
  const ConvolutionCase c{2, 5, 6, 4, 21, 3, 1, 1};
  const auto src = reals<float>(c.src(), 1);
  const auto weights = reals<float>(c.weights(), 2);
  const auto bias = reals<float>({1, 1, 1, 21}, 3);
  reference::Tensor<float> start(c.dst());
  for (std::size_t i = 0; i < start.value.size(); ++i) start.value[i] = bias.value[i % 21];

  const auto dst = forward<TypeParam>(c, src, weights, reals<float>(c.dst(), 4), ChainStart::bias, bias.value);

  EXPECT_EQ(first_difference(dst, reference::forward_chain(src, weights, start, c.stride, c.pad)), "");
}

TYPED_TEST(Convolution, NeverReadsBeyondTheImage) {
  const ConvolutionCase c{1, 4, 4, 2, 3, 3, 1, 1};
  auto src = reference::Tensor<float>(c.src());
  std::fill(src.value.begin(), src.value.end(), 1.0f);
  auto weights = integers<float>(c.weights(), 2);
  for (int ic = 0; ic < 2; ++ic)
    for (int oc = 0; oc < 3; ++oc) weights(0, 0, ic, oc) = std::numeric_limits<float>::infinity();

  const auto dst = forward<TypeParam>(c, src, weights, reals<float>(c.dst(), 4), ChainStart::zero);

  for (int w = 0; w < 4; ++w)
    EXPECT_TRUE(std::isfinite(dst(0, 0, w, 0)));  // a tap above the image is skipped, not 0 * inf
}

TYPED_TEST(Convolution, RefusesShapesThatDoNotFit) {
  using Exec = TypeParam;
  const Tensor4<float, Exec> src("bcr::tests::src", 1, 4, 4, 2);
  const Tensor4<float, Exec> weights("bcr::tests::weights", 3, 3, 2, 5);
  const Tensor4<float, Exec> dst("bcr::tests::dst", 1, 4, 4, 5);
  const Tensor4<float, Exec> small("bcr::tests::small", 1, 3, 4, 5);
  const Vector<float, Exec> space("bcr::tests::workspace", 4096);
  const Vector<float, Exec> none;

  const auto run = [&](const kernels::ConvolutionWindow window, const Tensor4<float, Exec>& out,
                       const Vector<float, Exec>& room, const ChainStart start) {
    kernels::convolution_forward<Exec, float>(Exec{}, window, src, weights, none, out, start, room);
  };
  EXPECT_NO_THROW(run({1, 1}, dst, space, ChainStart::zero));
  EXPECT_THROW(run({1, 1}, small, space, ChainStart::zero), ShapeError);
  EXPECT_THROW(run({2, 1}, dst, space, ChainStart::zero), ShapeError);
  EXPECT_THROW(run({1, 3}, dst, space, ChainStart::zero), ShapeError);
  EXPECT_THROW(run({0, 1}, dst, space, ChainStart::zero), ShapeError);
  EXPECT_THROW(run({1, 1}, dst, none, ChainStart::zero), ShapeError);
  EXPECT_THROW(run({1, 1}, dst, space, ChainStart::bias), ShapeError);
}

TYPED_TEST(Convolution, WeightLayoutsAreCopiesOfBits) {
  using Exec = TypeParam;
  const auto oihw = reals<float>({5, 3, 2, 4}, 1);
  const Tensor4<float, Exec> hwio("bcr::tests::hwio", 2, 4, 3, 5);
  const Tensor4<float, Exec> back("bcr::tests::back", 5, 3, 2, 4);

  kernels::weights_to_hwio<Exec, float>(Exec{}, upload<Exec>(oihw), hwio);
  kernels::weights_to_oihw<Exec, float>(Exec{}, hwio, back);
  Kokkos::fence("bcr::tests");

  const auto weights = download<float, Exec>(hwio);
  EXPECT_EQ(weights(1, 2, 0, 4), oihw(4, 0, 1, 2));
  EXPECT_EQ(first_difference(download<float, Exec>(back), oihw), "");
}

}  // namespace
}  // namespace bcr::test
