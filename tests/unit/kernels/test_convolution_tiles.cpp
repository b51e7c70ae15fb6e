#include "tests/support/convolution_case.hpp"

#include "kernels/conv/axis_segments.hpp"
#include "kernels/conv/gather_device.hpp"
#include "kernels/conv/packed_weights.hpp"
#include "kernels/conv/weights_device.hpp"
#include "kernels/conv/weights_host.hpp"

#include <gtest/gtest.h>

#include <algorithm>

// The tiles of GPUs, run on the host with one thread per team: the bits must not depend on how the work is cut.
namespace bcr::test {
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using kernels::ChainStart;
namespace impl = kernels::impl;

impl::Gather<Exec, float> forward_gather(const ConvolutionCase& c, const Tensor4<float, Exec>& src,
                                         const Tensor4<float, Exec>& weights, const Tensor4<float, Exec>& dst) {
  const auto packed = workspace<Exec, float>(kernels::forward_workspace_size<Exec, float>(weights));
  impl::pack_weights<impl::LaneChannels::output, Exec, float>(Exec{}, weights, packed);
  return {.rows = impl::forward_segments(c.window(), c.height, c.kernel),
          .columns = impl::forward_segments(c.window(), c.width, c.kernel),
          .src = src,
          .packed = packed,
          .bias = {},
          .dst = dst,
          .kh = c.kernel,
          .kw = c.kernel,
          .start = ChainStart::dst};
}

impl::Gather<Exec, float> backward_gather(const ConvolutionCase& c, const Tensor4<float, Exec>& diff_dst,
                                          const Tensor4<float, Exec>& weights, const Tensor4<float, Exec>& diff_src) {
  const auto packed = workspace<Exec, float>(kernels::backward_data_workspace_size<Exec, float>(weights));
  impl::pack_weights<impl::LaneChannels::input, Exec, float>(Exec{}, weights, packed);
  return {.rows = impl::backward_segments(c.window(), c.height, c.kernel),
          .columns = impl::backward_segments(c.window(), c.width, c.kernel),
          .src = diff_dst,
          .packed = packed,
          .bias = {},
          .dst = diff_src,
          .kh = c.kernel,
          .kw = c.kernel,
          .start = ChainStart::dst};
}

TEST(ConvolutionTiles, OfDevicesGatherTheBitsOfTheChainForward) {
  for (const auto& c : convolution_cases()) {
    const auto src = reals<float>(c.src(), 1);
    const auto weights = reals<float>(c.weights(), 2);
    const auto start = reals<float>(c.dst(), 3);
    const auto dst = upload<Exec>(start);

    const auto gather = forward_gather(c, upload<Exec>(src), upload<Exec>(weights), dst);
    impl::gather_on_device<1>(Exec{}, "bcr::tests::gather", gather);
    Kokkos::fence("bcr::tests");

    const auto expected = reference::forward_chain(src, weights, start, c.stride, c.pad);
    EXPECT_EQ(first_difference(download<float, Exec>(dst), expected), "") << c;
  }
}

TEST(ConvolutionTiles, OfDevicesGatherTheBitsOfTheChainBackward) {
  for (const auto& c : convolution_cases()) {
    const auto diff_dst = reals<float>(c.dst(), 1);
    const auto weights = reals<float>(c.weights(), 2);
    const auto start = reals<float>(c.src(), 3);
    const auto diff_src = upload<Exec>(start);

    const auto gather = backward_gather(c, upload<Exec>(diff_dst), upload<Exec>(weights), diff_src);
    impl::gather_on_device<1>(Exec{}, "bcr::tests::gather", gather);
    Kokkos::fence("bcr::tests");

    const auto expected = reference::backward_data_chain(diff_dst, weights, start, c.stride, c.pad);
    EXPECT_EQ(first_difference(download<float, Exec>(diff_src), expected), "") << c;
  }
}

TEST(ConvolutionTiles, OfDevicesAndHostsSumWeightsToTheSameBits) {
  for (const auto& c : convolution_cases()) {
    const auto src = upload<Exec>(reals<float>(c.src(), 1));
    const auto diff_dst = upload<Exec>(reals<float>(c.dst(), 2));
    const int chunk = kernels::backward_weights_chunk(c.dst()[1], c.dst()[2]);
    impl::WeightsSums<Exec, float> sums{.window = c.window(),
                                        .src = src,
                                        .diff_dst = diff_dst,
                                        .sums = {},
                                        .kh = c.kernel,
                                        .kw = c.kernel,
                                        .images_per_chunk = chunk,
                                        .chunks = impl::blocks_of(c.images, chunk),
                                        .first_block = 0,
                                        .blocks = impl::blocks_of(c.outputs, kernels::channel_block<float>)};
    const std::size_t size = sums.offset(sums.chunks, 0, 0);
    const auto on_host = workspace<Exec, float>(size);
    const auto on_device = workspace<Exec, float>(size);

    sums.sums = on_host;
    impl::sum_on_host(Exec{}, "bcr::tests::sum", sums);
    sums.sums = on_device;
    impl::sum_on_device<true>(Exec{}, "bcr::tests::sum", sums);
    Kokkos::fence("bcr::tests");

    const std::vector<float> host(on_host.data(), on_host.data() + size);
    const std::vector<float> device(on_device.data(), on_device.data() + size);
    EXPECT_EQ(host, device) << c;
    EXPECT_EQ(std::count(host.begin(), host.end(), 1e30f), 0) << c;  // every sum was written
  }
}

TEST(ConvolutionTiles, AxisSegmentsOfAThreeTapKernelAreTwoBordersAndTheInterior) {
  const auto segments = impl::forward_segments({.stride = 1, .pad = 1}, 8, 3);

  ASSERT_EQ(segments.size, 3);
  EXPECT_EQ(segments.segment[0].taps, 2);
  EXPECT_EQ(segments.segment[0].tap, 1);
  EXPECT_EQ(segments.segment[1].count, 6);
  EXPECT_EQ(segments.segment[1].taps, 3);
  EXPECT_EQ(segments.segment[2].taps, 2);
  EXPECT_EQ(segments.segment[2].tap, 0);
}

TEST(ConvolutionTiles, BackwardSegmentsOfStrideTwoSplitByParity) {
  const auto segments = impl::backward_segments({.stride = 2, .pad = 1}, 8, 3);

  ASSERT_EQ(segments.size, 3);
  EXPECT_EQ(segments.segment[0].step, 2);
  EXPECT_EQ(segments.segment[0].taps, 1);  // even inputs meet the middle tap only
  EXPECT_EQ(segments.segment[0].count, 4);
  EXPECT_EQ(segments.segment[1].taps, 2);  // odd ones the two outer taps
  EXPECT_EQ(segments.segment[1].count, 3);
  EXPECT_EQ(segments.segment[2].taps, 1);  // the last lacks the output beyond the border
}

}  // namespace
}  // namespace bcr::test
