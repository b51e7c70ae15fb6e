#include "tests/reference/winograd.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/winograd_case.hpp"

#include "kernels/conv/winograd_device.hpp"

#include <gtest/gtest.h>

namespace bcr::test {
namespace {

using kernels::ChainStart;

template <class Exec>
class Winograd : public ::testing::Test {};
TYPED_TEST_SUITE(Winograd, ExecSpaces);

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
