#include "tests/reference/winograd.hpp"
#include "tests/support/exec_spaces.hpp"
#include "tests/support/winograd_case.hpp"

#include "kernels/conv/winograd_weights_device.hpp"
#include "kernels/conv/winograd_weights_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace bcr::test {
namespace {

template <class Exec>
class WinogradBackwardWeights : public ::testing::Test {};
TYPED_TEST_SUITE(WinogradBackwardWeights, ExecSpaces);

/// Beside the common ones: several chunks, more channels than a work item takes, a chunk that ends inside a band.
std::vector<ConvolutionCase> weights_cases() {
  auto cases = winograd_cases();
  cases.push_back({75, 7, 8, 2, 3, 3, 1, 1});
  cases.push_back({2, 6, 5, 70, 50, 3, 1, 1});
  cases.push_back({5, 33, 32, 3, 5, 3, 1, 1});
  return cases;
}

TYPED_TEST(WinogradBackwardWeights, IsExactOnIntegers) {
  for (const auto& c : weights_cases()) {
    const auto src = integers<float>(c.src(), 1);
    const auto diff_dst = integers<float>(c.dst(), 2);

    const auto diff_weights = winograd_weights<TypeParam>(c, src, diff_dst);

    const auto expected =
        reference::convolution_backward_weights(src, diff_dst, reference::Tensor<double>(c.weights()), 1, c.pad);
    EXPECT_EQ(diff_weights.value, converted<float>(expected).value) << c;
  }
}

template <class Exec, class T>
std::string difference_from_the_documented_operations(const ConvolutionCase& c) {
  const auto src = reals<T>(c.src(), 1);
  const auto diff_dst = reals<T>(c.dst(), 2);
  const int chunk = kernels::winograd_backward_weights_chunk(c.dst()[1], c.dst()[2]);

  const auto diff_weights = winograd_weights<Exec>(c, src, diff_dst);

  return first_difference(diff_weights, reference::winograd_weights_chain(src, diff_dst, c.weights(), c.pad, chunk));
}

TYPED_TEST(WinogradBackwardWeights, HasTheBitsOfTheDocumentedOperations) {
  for (const auto& c : weights_cases()) {
    EXPECT_EQ((difference_from_the_documented_operations<TypeParam, float>(c)), "") << c;
    EXPECT_EQ((difference_from_the_documented_operations<TypeParam, double>(c)), "") << c;
  }
}

TYPED_TEST(WinogradBackwardWeights, RefusesOtherKernelsAndASmallWorkspace) {
  using Exec = TypeParam;
  const Tensor4<float, Exec> src("bcr::tests::src", 1, 4, 4, 2);
  const Tensor4<float, Exec> diff_dst("bcr::tests::diff_dst", 1, 4, 4, 5);
  const Tensor4<float, Exec> one_tap("bcr::tests::diff_weights", 1, 1, 2, 5);
  const Tensor4<float, Exec> diff_weights("bcr::tests::diff_weights", 3, 3, 2, 5);
  const Vector<float, Exec> space("bcr::tests::workspace", 4096);
  const std::size_t needed = kernels::winograd_backward_weights_workspace_size<Exec, float>(diff_dst, diff_weights);
  const Vector<float, Exec> small("bcr::tests::workspace", needed - 1);

  EXPECT_THROW((kernels::winograd_backward_weights<Exec, float>(Exec{}, 0, src, diff_dst, one_tap, space)), ShapeError);
  EXPECT_THROW((kernels::winograd_backward_weights<Exec, float>(Exec{}, 1, src, diff_dst, diff_weights, small)),
               ShapeError);
}

/// The tile of GPUs with one thread per team, for all blocks of output channels and for all but the first.
TEST(WinogradBackwardWeightsTiles, OfDevicesAndHostsHaveTheSameBits) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  for (const auto& c : weights_cases())
    for (const int first_block : {0, 1}) {
      const auto diff_dst = upload<Exec>(reals<float>(c.dst(), 2));
      const auto grid = kernels::impl::TileGrid::of(diff_dst);
      const int images = kernels::winograd_backward_weights_chunk(c.dst()[1], c.dst()[2]);
      const int blocks = kernels::impl::blocks_of(c.outputs, kernels::channel_block<float>) - first_block;
      if (blocks < 1) continue;
      kernels::impl::WinogradWeightsSums<Exec, float> sums{.pad = c.pad,
                                                           .src = upload<Exec>(reals<float>(c.src(), 1)),
                                                           .diff_dst = diff_dst,
                                                           .sums = {},
                                                           .grid = grid,
                                                           .tiles_per_chunk = images * grid.rows * grid.columns,
                                                           .chunks = kernels::impl::blocks_of(c.images, images),
                                                           .first_block = first_block,
                                                           .blocks = blocks};
      const std::size_t size = sums.offset(sums.chunks, 0, 0);
      const auto on_host = workspace<Exec, float>(size);
      const auto on_device = workspace<Exec, float>(size);

      sums.sums = on_host;
      kernels::impl::WinogradWeightsOnHost<Exec, float>(sums).launch(Exec{}, "bcr::tests::sum");
      sums.sums = on_device;
      kernels::impl::WinogradWeightsOnDevice<Exec, float, 1>(sums).launch(Exec{}, "bcr::tests::sum");
      Kokkos::fence("bcr::tests");

      const std::vector<float> host(on_host.data(), on_host.data() + size);
      const std::vector<float> device(on_device.data(), on_device.data() + size);
      EXPECT_EQ(host, device) << c;
      EXPECT_EQ(std::count(host.begin(), host.end(), 1e30f), 0) << c;  // every sum was written
    }
}

}  // namespace
}  // namespace bcr::test
